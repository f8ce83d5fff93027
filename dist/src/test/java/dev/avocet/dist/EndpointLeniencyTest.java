package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the broker of the distribution says to clients that do what they must not, and what an endpoint puts up with
 * when it is told to.
 */
@InTurn
class EndpointLeniencyTest {
    private static final int TIMEOUT_MS = 30_000;
    private static final String CONNECT = "100e 0004 4d515454 05 02 0000 00 0001 63";
    private static final String CONNECT_3_1_1 = "100d 0004 4d515454 04 02 0000 0001 63";
    /** SUBSCRIBE to {@code #/a}. */
    private static final String WRONG_FILTER = "8209 0001 00 0003 232f61 00";
    /** PUBLISH to {@code a}, U+0007. */
    private static final String CONTROL_CHARACTER = "3006 0002 6107 00 78";

    private static Administered broker;
    private static int strictPort;
    private static int lenientPort;

    @SuppressWarnings("NonFinalStaticField") // JUnit sets it
    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws IOException {
        broker = Administered.startWithObjects(folder.resolve("data"));
        strictPort = FreePort.next();
        lenientPort = FreePort.next();
        Path change = folder.resolve("lenient.json");
        Files.writeString(change, """
                {"Endpoint": {"DemoMqttEndpoint": {"Enabled": false},
                  "strict": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                  "ConnectionPolicies": "DemoConnectionPolicy", "TopicPolicies": "DemoTopicPolicy"},
                  "lenient": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                  "ConnectionPolicies": "DemoConnectionPolicy", "TopicPolicies": "DemoTopicPolicy",
                  "AllowControlCharacters": true, "PreciseSubscribeCodes": false, "BareNamesAreTopics": true}}}
                """.formatted(strictPort, lenientPort));
        broker.adminDoneHere("apply", "-f", change.toString());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldAnswerASecondConnectOfAnotherVersionWithAProtocolErrorAndNoStackTrace() throws Exception {
        String second = "1010 0004 4d515454 09 02 0000 00 0003 616263";
        try (Administered other = Administered.start(folder.resolve("other"), Map.of())) {
            int port = other.process().port();
            assertThat(answer(port, CONNECT, second)).matches("e0..82.*");
            assertThat(answer(port, CONNECT_3_1_1, second)).isEmpty();
            other.process().terminate();
            assertThat(other.process().output())
                    .contains("PROTOCOL_ERROR")
                    .doesNotContain("\tat ", "IllegalArgumentException");
        }
    }

    @Test
    void shouldRefuseControlCharactersUnlessTheEndpointAllowsThem() throws Exception {
        assertThat(answer(strictPort, CONNECT, CONTROL_CHARACTER)).matches("e0..81.*");
        assertThat(answer(strictPort, CONNECT_3_1_1, CONTROL_CHARACTER)).isEmpty();
        assertThat(answer(lenientPort, CONNECT, CONTROL_CHARACTER + "c000")).startsWith("d000");
    }

    @Test
    void shouldSayWhyASubscriptionIsRefusedUnlessTheEndpointShallNot() throws Exception {
        assertThat(answer(strictPort, CONNECT, WRONG_FILTER)).matches("90.*8f");
        assertThat(answer(lenientPort, CONNECT, WRONG_FILTER)).matches("90.*80");
    }

    @Test
    void shouldRefuseAnAmqpLinkToABareNameUnlessTheEndpointTakesItForATopic() throws Exception {
        assertThat(attached(strictPort, "nowhere")).contains("amqp:not-found", "queue://nowhere", "topic://nowhere");
        assertThat(attached(strictPort, "topic://nowhere")).doesNotContain("amqp:not-found");
        assertThat(attached(lenientPort, "nowhere")).doesNotContain("amqp:not-found");
    }

    /** What a plain AMQP client is told that attaches a link to send by, in Latin letters. */
    private static String attached(int port, String address) throws IOException {
        HexFormat hex = HexFormat.of();
        String target = "005329" + list("a1" + text(address));
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout(TIMEOUT_MS);
            client.getOutputStream()
                    .write(hex.parseHex("414d515000010000"
                            + frame("005310" + list("a1" + text("plain")))
                            + frame("005311" + list("40", "43", "5264", "5264"))
                            + frame("005312"
                                    + list(
                                            "a1" + text("out"),
                                            "43",
                                            "42",
                                            "40",
                                            "40",
                                            "005328" + list(),
                                            target,
                                            "40",
                                            "40",
                                            "43"))
                            + frame("005318" + list())));
            return new String(client.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private static String frame(String body) {
        return String.format("%08x02000000", 8 + body.length() / 2) + body;
    }

    private static String list(String... elements) {
        String content = String.join("", elements);
        return String.format("c0%02x%02x", 1 + content.length() / 2, elements.length) + content;
    }

    private static String text(String ascii) {
        return String.format("%02x", ascii.length()) + HexFormat.of().formatHex(ascii.getBytes(ISO_8859_1));
    }

    /** What comes behind CONNACK: one packet, in hexadecimal digits, or nothing when the connection is closed. */
    private static String answer(int port, String connect, String packet) throws IOException {
        HexFormat hex = HexFormat.of();
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout(TIMEOUT_MS);
            client.getOutputStream().write(hex.parseHex(connect.replace(" ", "")));
            assertThat(hex.formatHex(packet(client))).startsWith("20");
            client.getOutputStream().write(hex.parseHex(packet.replace(" ", "")));
            return hex.formatHex(packet(client));
        } catch (SocketException | EOFException e) {
            return "";
        }
    }

    private static byte[] packet(Socket client) throws IOException {
        byte[] head = client.getInputStream().readNBytes(2);
        if (head.length < 2) {
            throw new EOFException();
        }
        byte[] body = client.getInputStream().readNBytes(head[1]);
        byte[] whole = new byte[2 + body.length];
        System.arraycopy(head, 0, whole, 0, 2);
        System.arraycopy(body, 0, whole, 2, body.length);
        return whole;
    }
}
