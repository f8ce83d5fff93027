package dev.avocet.dist.pair;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/jms.md shows of other clients at a pair: its active node is killed, and the standby takes over. */
@InTurn
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PairSamplesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path PAGE = Path.of("..", "docs", "jms.md");
    private static final Path SOURCES = Path.of("src/test/java/dev/avocet/dist/pair");

    private final List<String> received = new CopyOnWriteArrayList<>();
    private PairUnderTest pair;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        pair = new PairUnderTest(folder, "file:" + folder.resolve("shared"));
        pair.start("a");
        pair.start("b");
        pair.of("a").awaitLine("ready");
        pair.of("b").awaitLine("ready");
        pair.admin(pair.active(), "queue", "create", "orders");
    }

    @BeforeEach
    void forget() {
        received.clear();
    }

    @AfterAll
    void stop() {
        pair.close();
    }

    @Test
    void shouldShowWhatIsTested() throws Exception {
        String page = Files.readString(PAGE);
        for (String sample : List.of("QpidPair", "PahoPair", "HiveMqPair")) {
            String source = Files.readString(SOURCES.resolve(sample + ".java"));
            String shown = source.substring(source.indexOf("// sample\n") + 10, source.indexOf("        // end"))
                    .stripTrailing()
                    .stripIndent();
            assertThat(page).contains("```java\n" + shown + "\n```");
        }
    }

    @Test
    void shouldGoOnWithQpid() throws Exception {
        try (Connection connection = QpidPair.connect(node("a"), node("b"))) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            MessageProducer producer = session.createProducer(queue);
            MessageConsumer consumer = session.createConsumer(queue);
            producer.send(session.createTextMessage("before"));
            assertThat(consumer.receive(PATIENCE.toMillis()).getBody(String.class))
                    .isEqualTo("before");

            fail();

            producer.send(session.createTextMessage("after"));
            assertThat(consumer.receive(PATIENCE.toMillis()).getBody(String.class))
                    .isEqualTo("after");
        }
    }

    @Test
    void shouldGoOnWithPaho() throws Exception {
        MqttAsyncClient client = PahoPair.connect(node("a"), node("b"), new Receiver(received));
        client.publish("orders/1", "before".getBytes(UTF_8), 1, false).waitForCompletion();
        await().atMost(PATIENCE).until(() -> received.contains("before"));

        fail();

        await().atMost(PATIENCE).until(client::isConnected);
        client.publish("orders/1", "after".getBytes(UTF_8), 1, false).waitForCompletion();
        await().atMost(PATIENCE).until(() -> received.contains("after"));
        client.disconnect().waitForCompletion();
        client.close();
    }

    @Test
    void shouldGoOnWithHiveMq() throws Exception {
        Mqtt5AsyncClient client = HiveMqPair.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), pair.port("a")),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), pair.port("b")),
                publish -> received.add(new String(publish.getPayloadAsBytes(), UTF_8)));
        publish(client, "before");
        await().atMost(PATIENCE).until(() -> received.contains("before"));

        fail();

        publish(client, "after");
        await().atMost(PATIENCE).until(() -> received.contains("after"));
        client.disconnect().join();
    }

    private static void publish(Mqtt5AsyncClient client, String text) {
        client.publishWith()
                .topic("orders/1")
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(text.getBytes(UTF_8))
                .send()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /** The node that was active comes back as the standby. */
    private void fail() throws Exception {
        String active = pair.active();
        String standby = PairUnderTest.other(active);
        pair.awaitInSync(standby);
        pair.kill(active);
        pair.of(standby).awaitLineWith("role active epoch");
        pair.start(active).awaitLine("role standby in-sync");
    }

    private String node(String name) {
        return "127.0.0.1:" + pair.port(name);
    }

    /** Keeps the texts that come. */
    private record Receiver(List<String> texts) implements MqttCallback {
        @Override
        public void messageArrived(String topic, MqttMessage message) {
            texts.add(new String(message.getPayload(), UTF_8));
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
