package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS sessions that clients began with one node of a pair, at the other one. */
@InTurn
@Timeout(180)
class PairTicketsTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Clients CA");
    private static final int PATIENCE_MS = 40_000;
    private static final String RESUMED = "avocet_tls_handshakes_resumed_total";

    private final Issued goodDevice = AUTHORITY.issue("good");
    private final Issued lostDevice = AUTHORITY.issue("lost");
    private final int port = FreePort.next();

    @TempDir
    private Path folder;

    @Test
    void shouldResumeAtTheNodeThatTakesOverAndCheckCertificatesAgain() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("shared"))) {
            // given: clients of both versions of TLS that resume at the active node
            pair.startWithObjects("a").awaitLine("ready");
            pair.startWithObjects("b").awaitLine("ready");
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            openEndpoint(pair, active);
            SSLContext good = AUTHORITY.clientContext(goodDevice, "TLSv1.3");
            SSLContext old = AUTHORITY.clientContext(goodDevice, "TLSv1.2");
            SSLContext lost = AUTHORITY.clientContext(lostDevice, "TLSv1.3");
            for (SSLContext each : List.of(good, old, lost)) {
                assertThat(isLetIn(each)).isTrue();
                assertThat(isLetIn(each)).isTrue();
            }
            assertThat(resumed(pair, active)).isEqualTo(3);

            // when a certificate is revoked, and the other node takes over
            revoke(2, lostDevice);
            upload(pair, active, "clients.crl");
            pair.kill(active);
            pair.of(standby).awaitLineWith("role active epoch");

            // then
            assertThat(isLetIn(good)).isTrue();
            assertThat(isLetIn(old)).isTrue();
            assertThat(resumed(pair, standby)).isEqualTo(2);
            assertThat(isLetIn(lost))
                    .as("the certificate in the session is looked up again")
                    .isFalse();
        }
    }

    private void openEndpoint(PairUnderTest pair, String active) throws Exception {
        Issued server = AUTHORITY.issue("localhost");
        server.writeCertificate(folder.resolve("server.pem"));
        server.writeKey(folder.resolve("server.key"));
        AUTHORITY.writeTo(folder.resolve("ca.pem"));
        revoke(1);
        for (String file : List.of("server.pem", "server.key", "ca.pem", "clients.crl")) {
            upload(pair, active, file);
        }
        HttpResponse<String> changed = pair.post(active, "/configuration", """
                {"CertificateProfile": {"web": {"Certificate": "server.pem", "Key": "server.key"}},
                 "CRLProfile": {"clients": {"CRLSource": "clients.crl"}},
                 "SecurityProfile": {"Certificates": {"CertificateProfile": "web", "UseClientCertificate": true,
                   "UsePasswordAuthentication": false, "CRLProfile": "clients"}},
                 "TrustedCertificate": {"ca.pem": {"SecurityProfileName": "Certificates"}},
                 "Endpoint": {"certified": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub",
                   "SecurityProfile": "Certificates", "ConnectionPolicies": "DemoConnectionPolicy",
                   "TopicPolicies": "DemoTopicPolicy"}}}
                """.formatted(port));
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    }

    private void upload(PairUnderTest pair, String node, String file) throws Exception {
        HttpResponse<String> put = pair.put(node, folder.resolve(file));
        assertThat(put.statusCode()).as(put.body()).isBetween(200, 299);
    }

    private void revoke(int number, Issued... revoked) {
        AUTHORITY.writeRevocations(
                folder.resolve("clients.crl"), number, 0, Instant.now().plus(Duration.ofDays(1)), revoked);
    }

    private static int resumed(PairUnderTest pair, String node) throws IOException, InterruptedException {
        return pair.of(node)
                .httpGet("/metrics")
                .lines()
                .filter(line -> line.startsWith(RESUMED))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private boolean isLetIn(SSLContext client) throws IOException {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket(plain, "127.0.0.1", port, true)) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write(new byte[] {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 1, 'd'});
            byte[] connack = socket.getInputStream().readNBytes(4);
            return connack.length == 4 && connack[3] == 0;
        } catch (SSLException | SocketException refused) {
            return false;
        }
    }
}
