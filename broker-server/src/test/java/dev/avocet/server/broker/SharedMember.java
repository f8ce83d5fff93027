package dev.avocet.server.broker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;

/** An MQTT client, and what it received. */
final class SharedMember implements MqttCallback, AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final List<String> received = new CopyOnWriteArrayList<>();
    private final MqttClient client;
    private boolean disconnected;

    private SharedMember(MqttClient client) {
        this.client = client;
    }

    /** @param expirySeconds how long its session outlives its connection; 0 for a clean one */
    static SharedMember connect(RunningBroker broker, String clientId, long expirySeconds) throws MqttException {
        return connect(broker, clientId, expirySeconds, true);
    }

    static SharedMember connect(RunningBroker broker, String clientId, long expirySeconds, boolean acknowledges)
            throws MqttException {
        int port = broker.endpoints().get(0).getPort();
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, clientId, new MemoryPersistence());
        SharedMember made = new SharedMember(client);
        client.setManualAcks(!acknowledges);
        client.setCallback(made);
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(expirySeconds == 0);
        options.setSessionExpiryInterval(expirySeconds);
        options.setAutomaticReconnect(false);
        client.connect(options);
        return made;
    }

    /** Returns the reason code of the answer. */
    int subscribe(String filter) throws MqttException {
        return client.subscribe(filter, 1).getReasonCodes()[0];
    }

    void unsubscribe(String filter) throws MqttException {
        client.unsubscribe(filter);
    }

    void publish(String topic, String text) throws MqttException {
        client.publish(topic, text.getBytes(StandardCharsets.UTF_8), 1, false);
    }

    void await(String... texts) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> received.size() == texts.length && received.containsAll(List.of(texts)));
    }

    /** Goes; its session stays if it outlives the connection. */
    void disconnect() throws MqttException {
        if (!disconnected) {
            disconnected = true;
            client.disconnect();
            client.close();
        }
    }

    @Override
    public void close() throws MqttException {
        if (client.isConnected()) {
            disconnect();
        }
    }

    @Override
    public void messageArrived(String topic, MqttMessage message) {
        received.add(new String(message.getPayload(), StandardCharsets.UTF_8));
    }

    @Override
    public void disconnected(MqttDisconnectResponse response) {}

    @Override
    public void mqttErrorOccurred(MqttException exception) {}

    @Override
    public void deliveryComplete(IMqttToken token) {}

    @Override
    public void connectComplete(boolean reconnect, String serverUri) {}

    @Override
    public void authPacketArrived(int reasonCode, MqttProperties properties) {}
}
