package dev.avocet.mqtt.clients;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.eclipse.paho.client.mqttv3.IMqttDeliveryToken;
import org.eclipse.paho.client.mqttv3.MqttCallback;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;

/** Paho for Java with MQTT 3.1.1. */
class PahoJava3Test extends ClientScenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        try {
            return new Paho(port, options);
        } catch (MqttException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Paho implements TestClient, MqttCallback {
        private final Inbox<Received> messages = new Inbox<>();
        private final MqttClient client;
        private final boolean sessionPresent;

        Paho(int port, ClientOptions options) throws MqttException {
            client = new MqttClient("tcp://127.0.0.1:" + port, options.clientId(), new MemoryPersistence());
            client.setCallback(this);
            client.setTimeToWait(10_000);
            MqttConnectOptions connect = new MqttConnectOptions();
            connect.setMqttVersion(MqttConnectOptions.MQTT_VERSION_3_1_1);
            connect.setMaxInflight(
                    1_000); // publish returns before Paho counts the message as done, on a thread that may lag
            connect.setCleanSession(options.clean());
            if (options.willTopic() != null) {
                connect.setWill(options.willTopic(), "gone".getBytes(StandardCharsets.UTF_8), 1, false);
            }
            sessionPresent = client.connectWithResult(connect).getSessionPresent();
        }

        @Override
        public boolean sessionPresent() {
            return sessionPresent;
        }

        @Override
        public int subscribe(String filter, int qos) {
            try {
                return client.subscribeWithResponse(filter, qos).getGrantedQos()[0];
            } catch (MqttException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public int publish(String topic, int qos, boolean retain, String payload, Map<String, String> properties) {
            try {
                client.publish(topic, payload.getBytes(StandardCharsets.UTF_8), qos, retain);
                return 0;
            } catch (MqttException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void messageArrived(String topic, MqttMessage message) {
            messages.add(new Received(
                    topic,
                    message.getQos(),
                    message.isRetained(),
                    new String(message.getPayload(), StandardCharsets.UTF_8),
                    Map.of()));
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
                client.disconnect();
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
        public void connectionLost(Throwable cause) {
            // a test that means it sees what the broker does about it
        }

        @Override
        public void deliveryComplete(IMqttDeliveryToken token) {
            // publish waits for it
        }
    }
}
