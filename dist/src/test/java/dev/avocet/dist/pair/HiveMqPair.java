package dev.avocet.dist.pair;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientTransportConfig;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttDisconnectSource;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** HiveMQ's client with both nodes of a pair, as docs/jms.md shows it. */
final class HiveMqPair {
    private HiveMqPair() {}

    static Mqtt5AsyncClient connect(InetSocketAddress node1, InetSocketAddress node2, Consumer<Mqtt5Publish> listener) {
        // sample
        List<InetSocketAddress> nodes = List.of(node1, node2);
        AtomicInteger attempts = new AtomicInteger();
        Mqtt5AsyncClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier("meter-2")
                .serverAddress(nodes.get(0))
                .addDisconnectedListener(context -> {
                    if (context.getSource() != MqttDisconnectSource.USER) {
                        InetSocketAddress next = nodes.get(attempts.incrementAndGet() % nodes.size());
                        context.getReconnector()
                                .reconnect(true)
                                .delay(200, TimeUnit.MILLISECONDS)
                                .transportConfig(MqttClientTransportConfig.builder()
                                        .serverAddress(next)
                                        .build());
                    }
                })
                .buildAsync();
        client.connectWith()
                .cleanStart(false)
                .sessionExpiryInterval(3_600) // the session waits for the client at either node
                .send()
                .join();
        client.subscribeWith()
                .topicFilter("orders/#")
                .qos(MqttQos.AT_LEAST_ONCE)
                .callback(listener)
                .send()
                .join();
        // end
        return client;
    }
}
