package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker as it is shipped: one name of a shared durable subscription is one subscription for JMS, MQTT and the
 * administrator.
 */
@InTurn
@Timeout(240)
class OneSharedSubscriptionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final List<String> received = new CopyOnWriteArrayList<>();

    @Test
    void shouldGiveEachMessageToOneConsumerWhateverItSpeaks() throws Exception {
        // given
        Path data = directory.resolve("data");
        try (Administered broker = Administered.start(data, Map.of())) {
            broker.adminDoneHere(
                    "durable-namespace-admin-sub",
                    "create",
                    "shd2",
                    "--topic-filter",
                    "se/#",
                    "--subscription-policy",
                    "DemoSubscriptionPolicy");
            MqttClient mqtt = connect(broker, "member");
            mqtt.subscribe("$SharedSubscription/shd2/se/#", 1);
            try (JMSContext jms = jms(broker)) {
                jms.createSharedDurableConsumer(jms.createTopic("se/#"), "shd2")
                        .setMessageListener(message -> received.add(text(message)));

                // when
                publish(broker, 0, 20);

                // then
                await().atMost(PATIENCE).until(() -> received.size() >= 20);
                assertThat(received).doesNotHaveDuplicates().hasSize(20);
            }
            mqtt.disconnect();
            mqtt.close();
            publish(broker, 20, 23);

            // then: one name in every list
            assertThat(rows(broker.adminDoneHere("subscription", "list", "-o", "csv")))
                    .singleElement()
                    .satisfies(row -> assertThat(row).startsWith("shd2,__Shared,se/#"));
            assertThat(rows(broker.adminDoneHere("stat", "Subscription", "-o", "csv")))
                    .singleElement()
                    .satisfies(row -> assertThat(row).startsWith("shd2,se/#,__Shared,true,true,3,"));
        }
        received.clear();

        // when it was killed
        try (Administered broker = Administered.start(data, Map.of());
                JMSContext jms = jms(broker)) {
            // then
            var consumer = jms.createSharedDurableConsumer(jms.createTopic("se/#"), "shd2");
            assertThat(text(consumer.receive(PATIENCE.toMillis()))).isEqualTo("20");
            consumer.close();
            MqttClient mqtt = connect(broker, "member");
            await().atMost(PATIENCE).until(() -> received.size() == 2);
            assertThat(received).containsExactly("21", "22");

            // when
            jms.unsubscribe("shd2");
            mqtt.disconnect();
            mqtt.close();
            broker.adminDoneHere("durable-namespace-admin-sub", "delete", "shd2", "--discard-sharers");

            // then
            await().atMost(PATIENCE)
                    .until(() -> rows(broker.adminDoneHere("subscription", "list", "-o", "csv"))
                            .isEmpty());
        }
    }

    private static List<String> rows(String csv) {
        List<String> lines = new ArrayList<>(csv.lines().toList());
        if (!lines.isEmpty()) {
            lines.remove(0);
        }
        return lines;
    }

    private static JMSContext jms(Administered broker) {
        return new AvocetConnectionFactory(
                        "avocet://127.0.0.1:" + broker.process().port())
                .createContext();
    }

    private static String text(Message message) {
        try {
            return message == null ? "nothing" : message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void publish(Administered broker, int from, int to) throws MqttException {
        MqttClient publisher =
                new MqttClient("tcp://127.0.0.1:" + broker.process().port(), "publisher", new MemoryPersistence());
        publisher.connect();
        for (int i = from; i < to; i++) {
            publisher.publish("se/x", ("" + i).getBytes(UTF_8), 1, false);
        }
        publisher.disconnect();
        publisher.close();
    }

    private MqttClient connect(Administered broker, String clientId) throws MqttException {
        MqttClient client =
                new MqttClient("tcp://127.0.0.1:" + broker.process().port(), clientId, new MemoryPersistence());
        client.setCallback(new Receiver(received));
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(false);
        options.setSessionExpiryInterval(100_000L);
        options.setAutomaticReconnect(false);
        client.connect(options);
        return client;
    }

    private record Receiver(List<String> received) implements MqttCallback {
        @Override
        public void messageArrived(String topic, MqttMessage message) {
            received.add(new String(message.getPayload(), UTF_8));
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
}
