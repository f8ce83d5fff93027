package dev.avocet.mqtt.clients;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;

/** Paho for Java with MQTT 5. */
class PahoJava5Test extends Client5Scenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        try {
            return new Paho(port, options);
        } catch (MqttException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    boolean setsAliasesItself() {
        return true;
    }

    private static final class Paho implements TestClient, MqttCallback {
        private static final int PATIENCE_MS = 30_000;

        private final Inbox<Received> messages = new Inbox<>();
        private final Map<Integer, String> topicsByAlias = new HashMap<>();
        private final MqttAsyncClient client;
        private final boolean sessionPresent;

        Paho(int port, ClientOptions options) throws MqttException {
            client = new MqttAsyncClient("tcp://127.0.0.1:" + port, options.clientId(), new MemoryPersistence());
            client.setCallback(this);
            MqttConnectionOptions connect = new MqttConnectionOptions();
            connect.setCleanStart(options.clean());
            Integer expirySeconds = options.number("sessionExpirySeconds");
            connect.setSessionExpiryInterval(expirySeconds == null ? null : expirySeconds.longValue());
            connect.setReceiveMaximum(options.number("receiveMaximum"));
            connect.setTopicAliasMaximum(options.number("topicAliasMaximum"));
            if (options.willTopic() != null) {
                MqttMessage will = new MqttMessage("gone".getBytes(StandardCharsets.UTF_8));
                will.setQos(1);
                connect.setWill(options.willTopic(), will);
            }
            IMqttToken connected = client.connect(connect);
            connected.waitForCompletion(PATIENCE_MS);
            sessionPresent = connected.getSessionPresent();
        }

        @Override
        public boolean sessionPresent() {
            return sessionPresent;
        }

        @Override
        public int subscribe(String filter, int qos) {
            try {
                return code(client.subscribe(filter, qos));
            } catch (MqttException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public int publish(String topic, int qos, boolean retain, String payload, Map<String, String> properties) {
            MqttMessage message =
                    new MqttMessage(payload.getBytes(StandardCharsets.UTF_8), qos, retain, written(properties));
            try {
                return code(client.publish(topic, message));
            } catch (MqttException e) {
                throw new AssertionError(e);
            }
        }

        /** A refusal comes as an exception, with the code. */
        private static int code(IMqttToken token) throws MqttException {
            try {
                token.waitForCompletion(PATIENCE_MS);
            } catch (MqttException e) {
                if (e.getReasonCode() < 0x80 || e.getReasonCode() > 0xFF) {
                    throw e;
                }
                return e.getReasonCode();
            }
            int[] codes = token.getReasonCodes();
            return codes == null || codes.length == 0 ? 0 : codes[0];
        }

        private static MqttProperties written(Map<String, String> properties) {
            MqttProperties written = new MqttProperties();
            List<UserProperty> user = new ArrayList<>();
            properties.forEach((key, value) -> {
                switch (key) {
                    case "responseTopic" -> written.setResponseTopic(value);
                    case "correlationData" -> written.setCorrelationData(value.getBytes(StandardCharsets.UTF_8));
                    case "topicAlias" -> {} // the library sets them itself
                    default -> user.add(new UserProperty(key.substring("user.".length()), value));
                }
            });
            written.setUserProperties(user);
            return written;
        }

        private static Map<String, String> read(MqttProperties properties) {
            Map<String, String> read = new HashMap<>();
            properties.getUserProperties().forEach(user -> read.put("user." + user.getKey(), user.getValue()));
            if (properties.getResponseTopic() != null) {
                read.put("responseTopic", properties.getResponseTopic());
            }
            if (properties.getCorrelationData() != null) {
                read.put("correlationData", new String(properties.getCorrelationData(), StandardCharsets.UTF_8));
            }
            return read;
        }

        @Override
        public void messageArrived(String topic, MqttMessage message) {
            messages.add(new Received(
                    topicOf(topic, message),
                    message.getQos(),
                    message.isRetained(),
                    new String(message.getPayload(), StandardCharsets.UTF_8),
                    read(message.getProperties())));
        }

        /** The library takes an empty topic for a topic, and leaves the alias to the application. */
        private String topicOf(String topic, MqttMessage message) {
            Integer alias = message.getProperties().getTopicAlias();
            if (alias == null) {
                return topic;
            }
            if (!topic.isEmpty()) {
                topicsByAlias.put(alias, topic);
            }
            return String.valueOf(topicsByAlias.get(alias));
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
            try {
                client.disconnect().waitForCompletion(PATIENCE_MS);
            } catch (MqttException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            try {
                if (client.isConnected()) {
                    client.disconnectForcibly(0, 1, false);
                }
                client.close(true);
            } catch (MqttException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void disconnected(MqttDisconnectResponse response) {
            // a test that means it sees what the broker does about it
        }

        @Override
        public void mqttErrorOccurred(MqttException e) {
            // the call that caused it fails as well
        }

        @Override
        public void deliveryComplete(IMqttToken token) {
            // publish waits for it
        }

        @Override
        public void connectComplete(boolean reconnect, String serverUri) {
            // the constructor waits for it
        }

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {
            throw new AssertionError("no authentication was asked for");
        }
    }
}
