package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.InstalledPrograms;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the broker as it is shipped that have pre-shared keys, or certificates that are revoked. */
@Timeout(240)
class KeysAndRevocationTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Clients CA");
    private static final Issued CLIENT = AUTHORITY.issue("device-7");
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static Administered broker;
    private static int certified;
    private static int keyed;

    @SuppressWarnings("NonFinalStaticField") // JUnit sets it
    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws IOException {
        broker = Administered.startWithObjects(folder.resolve("data"));
        certified = FreePort.next();
        keyed = FreePort.next();
        Issued server = AUTHORITY.issue("localhost");
        server.writeCertificate(folder.resolve("server.pem"));
        server.writeKey(folder.resolve("server.key"));
        AUTHORITY.writeTo(folder.resolve("ca.pem"));
        Files.writeString(folder.resolve("keys.csv"), "meter-1,00112233445566778899aabbccddeeff\n");
        revoke(1);
        for (String file : new String[] {"server.pem", "server.key", "ca.pem", "clients.crl", "keys.csv"}) {
            broker.adminDoneHere("file", "put", folder.resolve(file).toString());
        }
        Path change = Files.writeString(folder.resolve("endpoints.json"), """
                {"CertificateProfile": {"web": {"Certificate": "server.pem", "Key": "server.key"}},
                 "CRLProfile": {"clients": {"CRLSource": "clients.crl", "RevalidateConnection": true}},
                 "SecurityProfile": {
                   "Certificates": {"CertificateProfile": "web", "UseClientCertificate": true,
                     "UsePasswordAuthentication": false, "CRLProfile": "clients"},
                   "Keys": {"CertificateProfile": "web", "UsePasswordAuthentication": false,
                     "PreSharedKeys": "keys.csv"}},
                 "TrustedCertificate": {"ca.pem": {"SecurityProfileName": "Certificates"}},
                 "Endpoint": {
                   "certified": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                     "SecurityProfile": "Certificates", "ConnectionPolicies": "DemoConnectionPolicy",
                     "TopicPolicies": "DemoTopicPolicy"},
                   "keyed": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                     "SecurityProfile": "Keys", "ConnectionPolicies": "DemoConnectionPolicy",
                     "TopicPolicies": "DemoTopicPolicy"}}}
                """.formatted(certified, keyed));
        broker.adminDoneHere("apply", "-f", change.toString());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldEndTheConnectionOfARevokedClient() throws IOException {
        // given
        SSLContext client = AUTHORITY.clientContext(CLIENT, "TLSv1.3");
        try (SSLSocket connected = connected(client)) {
            // when
            revoke(2, CLIENT);
            broker.adminDoneHere("file", "put", folder.resolve("clients.crl").toString());

            // then
            assertThat(connected.getInputStream().read()).isNegative();
        } catch (SSLException | SocketException reset) {
            // an end as well
        }
        await().atMost(PATIENCE).until(() -> isRefused(client));
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

    private static boolean isRefused(SSLContext client) throws IOException {
        try {
            connected(client).close();
            return false;
        } catch (SSLException | SocketException refused) {
            return true;
        }
    }

    /** A client that has its CONNACK. */
    private static SSLSocket connected(SSLContext client) throws IOException {
        SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", certified);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.getOutputStream().write(new byte[] {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 1, 'd'});
        byte[] connack = socket.getInputStream().readNBytes(4);
        if (connack.length < 4 || connack[3] != 0) {
            socket.close();
            throw new SocketException("refused");
        }
        return socket;
    }
}
