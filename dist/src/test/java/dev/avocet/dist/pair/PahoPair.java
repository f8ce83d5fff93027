package dev.avocet.dist.pair;

import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;

/** Paho with both nodes of a pair, as docs/jms.md shows it. */
final class PahoPair {
    private PahoPair() {}

    static MqttAsyncClient connect(String node1, String node2, MqttCallback callback) throws MqttException {
        // sample
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setServerURIs(new String[] {"tcp://" + node1, "tcp://" + node2});
        options.setAutomaticReconnect(true);
        options.setAutomaticReconnectDelay(1, 2); // seconds; the longest is 120 without this
        options.setCleanStart(false);
        options.setSessionExpiryInterval(3_600L); // the session waits for the client at either node
        MqttAsyncClient client = new MqttAsyncClient("tcp://" + node1, "meter-1", new MemoryPersistence());
        client.setCallback(callback);
        client.connect(options).waitForCompletion();
        client.subscribe("orders/#", 1).waitForCompletion();
        // end
        return client;
    }
}
