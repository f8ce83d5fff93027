package dev.avocet.mqtt.clients;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.exceptions.ConnectionClosedException;
import com.hivemq.client.mqtt.exceptions.MqttClientStateException;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.Mqtt3BlockingClient;
import com.hivemq.client.mqtt.mqtt3.Mqtt3Client;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3Connect;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3ConnectBuilder;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import com.hivemq.client.mqtt.mqtt3.message.subscribe.Mqtt3Subscribe;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The HiveMQ client with MQTT 3.1.1. */
class HiveMq3Test extends ClientScenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        return new HiveMq(port, options);
    }

    private static final class HiveMq implements TestClient {
        private final Inbox<Received> messages = new Inbox<>();
        private final Mqtt3BlockingClient client;
        private final boolean sessionPresent;

        HiveMq(int port, ClientOptions options) {
            Mqtt3AsyncClient async = Mqtt3Client.builder()
                    .identifier(options.clientId())
                    .serverHost("127.0.0.1")
                    .serverPort(port)
                    .buildAsync();
            async.publishes(MqttGlobalPublishFilter.ALL, publish -> messages.add(received(publish)));
            client = async.toBlocking();
            sessionPresent = client.connect(connect(options)).isSessionPresent();
        }

        private static Mqtt3Connect connect(ClientOptions options) {
            Mqtt3ConnectBuilder connect = Mqtt3Connect.builder().cleanSession(options.clean());
            if (options.willTopic() != null) {
                connect = connect.willPublish(publishOf(options.willTopic(), 1, false, "gone"));
            }
            return connect.build();
        }

        private static Mqtt3Publish publishOf(String topic, int qos, boolean retain, String payload) {
            return Mqtt3Publish.builder()
                    .topic(topic)
                    .qos(MqttQos.values()[qos])
                    .retain(retain)
                    .payload(payload.getBytes(StandardCharsets.UTF_8))
                    .build();
        }

        private static Received received(Mqtt3Publish publish) {
            return new Received(
                    publish.getTopic().toString(),
                    publish.getQos().getCode(),
                    publish.isRetain(),
                    new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8),
                    Map.of());
        }

        @Override
        public boolean sessionPresent() {
            return sessionPresent;
        }

        @Override
        public int subscribe(String filter, int qos) {
            return client.subscribe(Mqtt3Subscribe.builder()
                            .topicFilter(filter)
                            .qos(MqttQos.values()[qos])
                            .build())
                    .getReturnCodes()
                    .get(0)
                    .getCode();
        }

        @Override
        public int publish(String topic, int qos, boolean retain, String payload, Map<String, String> properties) {
            client.publish(publishOf(topic, qos, retain, payload));
            return 0;
        }

        @Override
        public Received receive() {
            return messages.take("a message");
        }

        @Override
        public boolean isIdle() {
            return messages.isEmpty();
        }

        @Override
        public void disconnect() {
            client.disconnect();
        }

        @Override
        public void close() {
            try {
                client.disconnect();
            } catch (MqttClientStateException | ConnectionClosedException e) {
                // it has been disconnected before, or just now
            }
        }
    }
}
