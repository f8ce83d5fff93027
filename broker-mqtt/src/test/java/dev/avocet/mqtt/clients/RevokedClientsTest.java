package dev.avocet.mqtt.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.security.provider.CertificateAuthenticator;
import dev.avocet.core.security.provider.CertificateUse;
import dev.avocet.core.security.user.InMemoryUsers;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.TlsContext;
import dev.avocet.core.tls.TlsLibrary;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.core.tls.client.ClientCertificates;
import dev.avocet.core.tls.client.ClientTrust;
import dev.avocet.core.tls.key.CipherClass;
import dev.avocet.core.tls.key.KeySource;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.core.tls.status.RevocationOptions;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients whose certificates their authority revokes. */
@InTurn
class RevokedClientsTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Clients CA");
    private static final TestAuthority STRANGER = new TestAuthority("Clients CA");
    private static final Issued GOOD = AUTHORITY.issue("good");
    private static final Issued BAD = AUTHORITY.issue("bad");
    private final Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private Path directory;

    private @Nullable TlsContext tls;
    private @Nullable TestBroker broker;
    private @Nullable HttpServer web;

    @AfterEach
    void closeEverything() {
        if (broker != null) {
            broker.close();
        }
        if (tls != null) {
            tls.close();
        }
        if (web != null) {
            web.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldRefuseWhoIsRevoked(String protocol) throws Exception {
        start(options(list(1, 0, BAD), null, false, false));

        assertThat(isLetIn(context(GOOD, protocol))).isTrue();
        assertThat(isLetIn(context(BAD, protocol))).isFalse();
        broker.awaitCount(Counter.TLS_HANDSHAKE_FAILURES, 1);
    }

    @Test
    void shouldEndTheConnectionOfAClientThatIsRevokedLater() throws Exception {
        // given
        start(options(list(1, 0), null, true, false));
        try (SSLSocket good = connected(context(GOOD, "TLSv1.3"));
                SSLSocket bad = connected(context(BAD, "TLSv1.3"))) {
            // when
            list(2, 0, BAD);

            // then
            assertThat(answer(bad)).as("the connection ends").isNegative();
            broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
            ping(good);
            assertThat(answer(good)).as("PINGRESP").isEqualTo(0xD0);
        }
    }

    @Test
    void shouldNotResumeTheSessionOfAClientThatIsRevokedLater() throws Exception {
        // given
        start(options(list(1, 0), null, false, false));
        SSLContext bad = context(BAD, "TLSv1.3");
        assertThat(isLetIn(bad)).isTrue();
        assertThat(isLetIn(bad)).isTrue();
        assertThat(broker.count(Counter.TLS_HANDSHAKES_RESUMED)).isEqualTo(1);

        // when
        list(2, 0, BAD);

        // then
        await().atMost(PATIENCE).until(() -> !isLetIn(bad));
    }

    @Test
    void shouldKeepTheListWhenTheNextOneIsOfAnother() throws Exception {
        // given
        Path list = list(1, 0, BAD);
        Path delta = directory.resolve("delta.crl");
        AUTHORITY.writeRevocations(delta, 1, 1, tomorrow);
        start(options(list, delta, false, false));

        // when an authority of the same name has signed one without the client
        STRANGER.writeRevocations(list, 2, 0, tomorrow);
        AUTHORITY.writeRevocations(delta, 2, 1, tomorrow, GOOD);

        // then neither of them counts
        assertThat(isLetIn(context(BAD, "TLSv1.3"))).isFalse();
        assertThat(isLetIn(context(GOOD, "TLSv1.3"))).isTrue();

        // when the whole list is good again
        list(1, 0, BAD);

        // then the changes count with it
        await().atMost(PATIENCE).until(() -> !isLetIn(context(GOOD, "TLSv1.3")));
    }

    @Test
    void shouldLookAtWhatHasChangedSinceTheWholeList() throws Exception {
        // given
        Path delta = directory.resolve("delta.crl");
        AUTHORITY.writeRevocations(delta, 2, 1, tomorrow, BAD);
        start(options(list(1, 0), delta, false, false));

        assertThat(isLetIn(context(BAD, "TLSv1.3"))).isFalse();
        assertThat(isLetIn(context(GOOD, "TLSv1.3"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeClientsWithoutAValidListOnlyWhereThatIsAllowed(boolean allowed) throws Exception {
        Path old = AUTHORITY.writeRevocations(
                directory.resolve("clients.crl"), 1, 0, Instant.now().minusSeconds(60), BAD);
        start(options(old, null, false, allowed));

        assertThat(isLetIn(context(GOOD, "TLSv1.3"))).isEqualTo(allowed);
        assertThat(isLetIn(context(BAD, "TLSv1.3"))).isFalse();
    }

    @Test
    void shouldFetchTheListFromAServer() throws Exception {
        // given
        byte[] list = Files.readAllBytes(list(1, 0, BAD));
        web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext("/clients.crl", exchange -> {
            exchange.sendResponseHeaders(200, list.length);
            try (exchange) {
                exchange.getResponseBody().write(list);
            }
        });
        web.start();

        // when
        URI place = URI.create("http://127.0.0.1:" + web.getAddress().getPort() + "/clients.crl");
        start(options(new RevocationOptions(place, null, Duration.ofMinutes(5), false, false)));

        // then
        await().atMost(PATIENCE).until(() -> isLetIn(context(GOOD, "TLSv1.3")));
        assertThat(isLetIn(context(BAD, "TLSv1.3"))).isFalse();
    }

    private Path list(int number, int base, Issued... revoked) {
        Path unfinished = AUTHORITY.writeRevocations(directory.resolve("next"), number, base, tomorrow, revoked);
        try {
            return Files.move(
                    unfinished, directory.resolve("clients.crl"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private TlsOptions options(Path list, @Nullable Path delta, boolean revalidate, boolean acceptUnknown) {
        return options(new RevocationOptions(
                list.toUri(), delta == null ? null : delta.toUri(), Duration.ofHours(1), revalidate, acceptUnknown));
    }

    private TlsOptions options(RevocationOptions revocation) {
        Issued server = AUTHORITY.issue("localhost");
        KeySource key = new KeySource.Pem(
                server.writeCertificate(directory.resolve("server.pem")),
                server.writeKey(directory.resolve("server.key")),
                null);
        ClientTrust trust = new ClientTrust(List.of(AUTHORITY.writeTo(directory.resolve("ca.pem"))), List.of());
        return new TlsOptions(
                        key,
                        trust,
                        TlsVersion.TLS_1_2,
                        CipherClass.MEDIUM,
                        false,
                        ClientCertificates.REQUIRE,
                        TlsLibrary.BEST,
                        5_000,
                        1_000)
                .withRevocation(revocation);
    }

    private void start(TlsOptions options) throws TlsException {
        tls = TlsContext.load("test", options, new SystemClock());
        broker = TestBroker.with(MqttTestBroker.mqtt(
                        MqttOptions.DEFAULT,
                        new CertificateAuthenticator(
                                new CertificateUse(true, false, false),
                                new InMemoryUsers(Map.of()),
                                new AnonymousAuthenticator())))
                .tls(tls)
                .start();
    }

    private static SSLContext context(Issued own, String protocol) {
        return AUTHORITY.clientContext(own, protocol);
    }

    private boolean isLetIn(SSLContext client) throws IOException {
        try {
            connected(client).close();
            return true;
        } catch (SSLException | SocketException refused) {
            return false;
        }
    }

    /** A client that has its CONNACK. */
    private SSLSocket connected(SSLContext client) throws IOException {
        SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", broker.port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        byte[] connect = {0x10, 12, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 0};
        socket.getOutputStream().write(connect);
        byte[] connack = socket.getInputStream().readNBytes(4);
        if (connack.length < 4 || connack[3] != 0) {
            socket.close();
            throw new SocketException("refused");
        }
        return socket;
    }

    private static void ping(SSLSocket socket) throws IOException {
        socket.getOutputStream().write(new byte[] {(byte) 0xC0, 0});
    }

    private static int answer(SSLSocket socket) throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SSLException | SocketException ended) {
            return -1;
        }
    }
}
