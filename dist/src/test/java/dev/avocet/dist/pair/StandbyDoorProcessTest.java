package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The standby of a pair as it is shipped that tells clients where the active node is. */
@InTurn
@Timeout(180)
class StandbyDoorProcessTest {
    private static final long PATIENCE_MS = 30_000;
    private static final String OLD_CONNECT = "100d 0004 4d515454 04 02 0000 0001 63";
    private static final String CONNECT = "100e 0004 4d515454 05 02 0000 00 0001 63";
    private static final String SECRET = "anna's secret";

    @TempDir
    private Path folder;

    @Test
    void shouldSendClientsToTheActiveNode() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("shared"))) {
            // given
            pair.start("a").awaitLine("ready");
            pair.start("b").awaitLine("ready");
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            pair.admin(active, "queue", "create", "orders");
            createUser(pair, active);

            // then its endpoints are closed by default
            assertThatThrownBy(() -> answer(pair.port(standby), OLD_CONNECT)).isInstanceOf(IOException.class);

            // when
            assertThat(pair.admin(
                            active,
                            "high-availability",
                            "update",
                            "--standby-answers",
                            "Redirect",
                            "--client-addresses",
                            "a=127.0.0.1:" + pair.port("a") + ",b=127.0.0.1:" + pair.port("b")))
                    .contains("HighAvailability updated");

            // then MQTT clients get one packet, and nothing else
            String reference = "127.0.0.1:" + pair.port(active);
            await().ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(answer(pair.port(standby), OLD_CONNECT)).isEqualTo("20020003"));
            assertThat(answer(pair.port(standby), CONNECT))
                    .startsWith("20")
                    .contains("009c", "1c" + "%04x".formatted(reference.length()) + hex(reference));
            followWithHiveMq(pair.port(standby), reference);
            refusePaho(pair.port(standby));

            // and AMQP clients are sent on, also those that have a password, which the standby does not ask for
            followWithQpid("amqp://127.0.0.1:" + pair.port(standby), pair.port(active));
            useQueue(new AvocetConnectionFactory("avocet://127.0.0.1:" + pair.port(standby)), "anna", SECRET);
            assertThatThrownBy(() -> useQueue(
                            new AvocetConnectionFactory("avocet://127.0.0.1:" + pair.port(standby)), "anna", "wrong"))
                    .hasMessageContaining("refuses the login");
            assertThat(pair.of(standby).httpGet("/health")).contains("\"role\":\"standby in-sync\"");

            // when the active node ends
            pair.kill(active);

            // then the one that sent its clients on serves them
            pair.of(standby).awaitLineWith("role active epoch");
            assertThat(answer(pair.port(standby), OLD_CONNECT)).startsWith("200200");
            useQueue(
                    new AvocetConnectionFactory(
                            "avocet:(127.0.0.1:%d,127.0.0.1:%d)".formatted(pair.port(active), pair.port(standby))),
                    "anna",
                    SECRET);

            // and the one that comes back sends its clients here
            pair.start(active).awaitLine("role standby in-sync");
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(answer(pair.port(active), CONNECT))
                            .contains(hex("127.0.0.1:" + pair.port(standby))));
        }
    }

    private void createUser(PairUnderTest pair, String node) throws Exception {
        Path password = Files.writeString(folder.resolve("password"), SECRET + "\n");
        pair.admin(node, "user", "create", "anna", "--new-password-file", password.toString());
    }

    private static void followWithHiveMq(int port, String reference) {
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier("hive")
                .serverHost("127.0.0.1")
                .serverPort(port)
                .buildBlocking();
        assertThatThrownBy(client::connect).isInstanceOfSatisfying(Mqtt5ConnAckException.class, refused -> {
            assertThat(refused.getMqttMessage().getReasonCode()).isEqualTo(Mqtt5ConnAckReasonCode.USE_ANOTHER_SERVER);
            assertThat(refused.getMqttMessage().getServerReference().orElseThrow())
                    .hasToString(reference);
        });
    }

    private static void refusePaho(int port) throws MqttException {
        org.eclipse.paho.mqttv5.client.MqttClient client = new org.eclipse.paho.mqttv5.client.MqttClient(
                "tcp://127.0.0.1:" + port, "paho", new MemoryPersistence());
        assertThatThrownBy(() -> client.connect(new MqttConnectionOptions()))
                .isInstanceOfSatisfying(
                        MqttException.class,
                        refused -> assertThat(refused.getReasonCode()).isEqualTo(0x9C));
        client.close();
    }

    /** Qpid JMS goes where it is sent when it may fail over. */
    private static void followWithQpid(String url, int served) {
        useQueue(new JmsConnectionFactory("failover:(" + url + ")?failover.maxReconnectAttempts=5"), "anna", SECRET);
        assertThat(served).isPositive();
    }

    private static void useQueue(ConnectionFactory factory, String user, String password) {
        try (JMSContext context = factory.createContext(user, password)) {
            Queue orders = context.createQueue("orders");
            context.createProducer().send(orders, "here");
            assertThat(context.createConsumer(orders).receiveBody(String.class, PATIENCE_MS))
                    .isEqualTo("here");
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** All that comes until the server ends the connection, or has said as much as a CONNACK is. */
    private static String answer(int port, String packet) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE_MS);
            socket.getOutputStream().write(HexFormat.of().parseHex(packet.replace(" ", "")));
            byte[] begin = socket.getInputStream().readNBytes(4);
            boolean isLetIn = begin.length == 4 && begin[3] == 0;
            return HexFormat.of().formatHex(begin)
                    + (isLetIn
                            ? ""
                            : HexFormat.of().formatHex(socket.getInputStream().readAllBytes()));
        }
    }
}
