package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.InstalledPrograms;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestResponder;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the broker as it is shipped that have pre-shared keys, or certificates that are revoked. */
@InTurn
@Timeout(240)
class KeysAndRevocationTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Clients CA");
    private static final Issued CLIENT = AUTHORITY.issue("device-7");
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static Administered broker;
    private static int certified;
    private static int keyed;
    private static int asked;
    private static TestResponder responder;

    @SuppressWarnings("NonFinalStaticField") // JUnit sets it
    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws IOException {
        broker = Administered.startWithObjects(folder.resolve("data"));
        certified = FreePort.next();
        keyed = FreePort.next();
        asked = FreePort.next();
        responder = new TestResponder(AUTHORITY);
        Issued server = AUTHORITY.issue("localhost", responder.url());
        server.writeChain(folder.resolve("server.pem"));
        server.writeKey(folder.resolve("server.key"));
        AUTHORITY.writeTo(folder.resolve("ca.pem"));
        AUTHORITY.writeTo(folder.resolve("ca2.pem"));
        Files.writeString(folder.resolve("keys.csv"), "meter-1,00112233445566778899aabbccddeeff\n");
        revoke(1);
        for (String file : new String[] {"server.pem", "server.key", "ca.pem", "ca2.pem", "clients.crl", "keys.csv"}) {
            broker.adminDoneHere("file", "put", folder.resolve(file).toString());
        }
        Path change = Files.writeString(folder.resolve("endpoints.json"), """
                {"CertificateProfile": {"web": {"Certificate": "server.pem", "Key": "server.key"}},
                 "CRLProfile": {"clients": {"CRLSource": "clients.crl", "RevalidateConnection": true}},
                 "OCSPProfile": {"responder": {"RevalidateConnection": true, "Timeout": 8, "Nonce": "Required"}},
                 "SecurityProfile": {
                   "Asked": {"CertificateProfile": "web", "UseClientCertificate": true,
                     "UsePasswordAuthentication": false, "OCSPProfile": "responder", "OCSPStapling": true},
                   "Certificates": {"CertificateProfile": "web", "UseClientCertificate": true,
                     "UsePasswordAuthentication": false, "CRLProfile": "clients"},
                   "Keys": {"CertificateProfile": "web", "UsePasswordAuthentication": false,
                     "PreSharedKeys": "keys.csv"}},
                 "TrustedCertificate": {"ca.pem": {"SecurityProfileName": "Certificates"},
                   "ca2.pem": {"SecurityProfileName": "Asked"}},
                 "Endpoint": {
                   "certified": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                     "SecurityProfile": "Certificates", "ConnectionPolicies": "DemoConnectionPolicy",
                     "TopicPolicies": "DemoTopicPolicy"},
                   "asked": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                     "SecurityProfile": "Asked", "ConnectionPolicies": "DemoConnectionPolicy",
                     "TopicPolicies": "DemoTopicPolicy"},
                   "keyed": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                     "SecurityProfile": "Keys", "ConnectionPolicies": "DemoConnectionPolicy",
                     "TopicPolicies": "DemoTopicPolicy"}}}
                """.formatted(certified, asked, keyed));
        broker.adminDoneHere("apply", "-f", change.toString());
    }

    @AfterAll
    static void stop() {
        broker.close();
        responder.close();
    }

    @Test
    void shouldEndConnectionsOfClientsThatTheirResponderCallsRevoked() throws Exception {
        // given
        responder.setValidity(Duration.ofSeconds(2));
        Issued device = AUTHORITY.issue("device-8", responder.url());
        SSLContext client = AUTHORITY.clientContext(device, "TLSv1.3");
        try (SSLSocket mqtt = connected(client, asked);
                SSLSocket amqp = amqp(client)) {
            // when
            responder.revoke(device);

            // then
            assertThat(isAtEnd(mqtt)).isTrue();
            assertThat(isAtEnd(amqp)).isTrue();
        }
        assertThat(isRefused(client, asked)).isTrue();
    }

    @Test
    void shouldStapleTheAnswerAboutItsOwnCertificate() {
        await().atMost(PATIENCE).until(() -> statusAsked().contains("Cert Status: good"));
    }

    @Test
    void shouldEndTheConnectionOfARevokedClient() throws IOException {
        // given
        SSLContext client = AUTHORITY.clientContext(CLIENT, "TLSv1.3");
        try (SSLSocket connected = connected(client, certified)) {
            // when
            revoke(2, CLIENT);
            broker.adminDoneHere("file", "put", folder.resolve("clients.crl").toString());

            // then
            assertThat(connected.getInputStream().read()).isNegative();
        } catch (SSLException | SocketException reset) {
            // an end as well
        }
        await().atMost(PATIENCE).until(() -> isRefused(client, certified));
    }

    @Test
    void shouldServeClientsWithAPreSharedKey() throws Exception {
        assertThat(publish("00112233445566778899aabbccddeeff")).isZero();
        assertThat(publish("ff")).isNotZero();
    }

    private static int publish(String key) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        InstalledPrograms.onPath("mosquitto_pub"),
                        "-h",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(keyed),
                        "--psk-identity",
                        "meter-1",
                        "--psk",
                        key,
                        "-q",
                        "1",
                        "-t",
                        "t",
                        "-m",
                        "hello")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor();
    }

    private static void revoke(int number, Issued... revoked) {
        AUTHORITY.writeRevocations(
                folder.resolve("clients.crl"), number, 0, Instant.now().plus(Duration.ofDays(1)), revoked);
    }

    private static boolean isRefused(SSLContext client, int port) throws IOException {
        try {
            connected(client, port).close();
            return false;
        } catch (SSLException | SocketException refused) {
            return true;
        }
    }

    /** A client that has its CONNACK. */
    private static SSLSocket connected(SSLContext client, int port) throws IOException {
        SSLSocket socket = socket(client, port);
        socket.getOutputStream().write(new byte[] {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 1, 'd'});
        byte[] connack = socket.getInputStream().readNBytes(4);
        if (connack.length < 4 || connack[3] != 0) {
            socket.close();
            throw new SocketException("refused");
        }
        return socket;
    }

    private static SSLSocket socket(SSLContext client, int port) throws IOException {
        SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    /** A client of AMQP whose connection is open: SASL EXTERNAL, and the answer to its open frame. */
    private static SSLSocket amqp(SSLContext client) throws IOException {
        SSLSocket socket = socket(client, asked);
        socket.getOutputStream().write(HexFormat.of().parseHex("414d515003010000"));
        socket.getInputStream().readNBytes(8);
        frame(socket); // which mechanisms there are
        String external = "a308" + HexFormat.of().formatHex("EXTERNAL".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream()
                .write(HexFormat.of().parseHex("0000001a02010000" + "005341c00d02" + external + "a000"));
        assertThat(frame(socket)).as("the outcome of SASL").contains("5344").endsWith("5000");
        socket.getOutputStream().write(HexFormat.of().parseHex("414d515000010000"));
        socket.getInputStream().readNBytes(8);
        socket.getOutputStream().write(HexFormat.of().parseHex("0000001102000000" + "005310c00401a10163"));
        assertThat(frame(socket)).as("open").contains("005310");
        return socket;
    }

    private static String frame(SSLSocket socket) throws IOException {
        byte[] head = socket.getInputStream().readNBytes(4);
        int size = ByteBuffer.wrap(head).getInt();
        return HexFormat.of().formatHex(socket.getInputStream().readNBytes(size - 4));
    }

    /** Whether the broker ends the connection; it may say something before. */
    private static boolean isAtEnd(SSLSocket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SSLException | SocketException reset) {
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        }
    }

    /** What s_client says of the answer that comes with the handshake. */
    private static String statusAsked() throws IOException, InterruptedException {
        Path log = folder.resolve("s_client.log");
        Process process = new ProcessBuilder(
                        InstalledPrograms.onPath("openssl"),
                        "s_client",
                        "-connect",
                        "127.0.0.1:" + asked,
                        "-status",
                        "-CAfile",
                        folder.resolve("ca.pem").toString())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.waitFor();
        return Files.readString(log);
    }
}
