"""Paho for Python, one command a line on standard input, one answer or message a line on standard output: see LineClient.java."""

import os
import sys

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

VERSIONS = {"3": mqtt.MQTTv31, "4": mqtt.MQTTv311, "5": mqtt.MQTTv5}


def say(*words):
    sys.stdout.write(" ".join(str(word) for word in words) + "\n")
    sys.stdout.flush()


def options(words):
    """Splits "key=value" words into a dictionary."""
    return dict(word.split("=", 1) for word in words)


def truth(flag):
    return "true" if flag else "false"


class Client:
    def connect(self, port, client_id, version, *rest):
        given = options(rest)
        clean = given["clean"] == "true"
        v5 = version == "5"
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2,
            client_id=client_id,
            protocol=VERSIONS[version],
            reconnect_on_failure=False,
            **({} if v5 else {"clean_session": clean}),
        )
        if "will" in given:
            self.client.will_set(given["will"], "gone", qos=1)
        self.topics_by_alias = {}
        self.client.on_connect = self.on_connect
        self.client.on_message = self.on_message
        self.client.on_subscribe = lambda client, data, mid, codes, properties: say("subscribed", codes[0].value)
        self.client.on_publish = lambda client, data, mid, code, properties: say("published", code.value)
        extra = {"clean_start": clean, "properties": connect_properties(given)} if v5 else {}
        self.client.connect("127.0.0.1", int(port), **extra)
        self.client.loop_start()

    def on_connect(self, client, data, flags, code, properties):
        if code.is_failure:
            say("error", code)
        else:
            say("connected", truth(flags.session_present))

    def on_message(self, client, data, message):
        properties = message.properties
        words = ["message", self.topic_of(message), message.qos, truth(message.retain), message.payload.decode()]
        if properties is not None:
            words += [f"user.{key}={value}" for key, value in getattr(properties, "UserProperty", [])]
            if hasattr(properties, "ResponseTopic"):
                words.append("responseTopic=" + properties.ResponseTopic)
            if hasattr(properties, "CorrelationData"):
                words.append("correlationData=" + properties.CorrelationData.decode())
        say(*words)

    def topic_of(self, message):
        """The library leaves it to the application to keep the topic aliases that the server sets."""
        alias = getattr(message.properties, "TopicAlias", None)
        if alias is None:
            return message.topic
        if message.topic:
            self.topics_by_alias[alias] = message.topic
        return self.topics_by_alias[alias]

    def subscribe(self, topic_filter, qos):
        self.client.subscribe(topic_filter, int(qos))

    def publish(self, topic, qos, retain, payload, *rest):
        properties = publish_properties(options(rest)) if rest else None
        name = "" if topic == "-" else topic
        self.client.publish(name, payload, int(qos), retain == "true", properties)

    def disconnect(self):
        self.client.disconnect()
        self.client.loop_stop()
        say("disconnected")


def connect_properties(given):
    properties = Properties(PacketTypes.CONNECT)
    if "sessionExpirySeconds" in given:
        properties.SessionExpiryInterval = int(given["sessionExpirySeconds"])
    if "receiveMaximum" in given:
        properties.ReceiveMaximum = int(given["receiveMaximum"])
    if "topicAliasMaximum" in given:
        properties.TopicAliasMaximum = int(given["topicAliasMaximum"])
    return properties


def publish_properties(given):
    properties = Properties(PacketTypes.PUBLISH)
    for key, value in given.items():
        if key.startswith("user."):
            properties.UserProperty = (key[len("user."):], value)
    if "responseTopic" in given:
        properties.ResponseTopic = given["responseTopic"]
    if "correlationData" in given:
        properties.CorrelationData = given["correlationData"].encode()
    if "topicAlias" in given:
        properties.TopicAlias = int(given["topicAlias"])
    return properties


def main():
    client = Client()
    for line in sys.stdin:
        command, *words = line.rstrip("\n").split(" ")
        getattr(client, command)(*words)
    os._exit(0)


if __name__ == "__main__":
    main()
