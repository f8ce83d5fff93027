package dev.avocet.mqtt.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import dev.avocet.core.tls.status.OcspOptions;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.frontend.AllowedOrigins;
import dev.avocet.mqtt.frontend.WebSocketOptions;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.InstalledPrograms;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.TestResponder;
import dev.avocet.testkit.TestResponder.Behavior;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients about whose certificates an OCSP responder is asked, and what clients are told about that of the broker. */
@InTurn
class OcspClientsTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Clients CA");
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final OcspOptions STRICT =
            new OcspOptions(null, Duration.ofSeconds(3), Duration.ofHours(1), OcspOptions.Nonce.OPTIONAL, true, false);
    private static final OcspOptions LENIENT =
            new OcspOptions(null, Duration.ofMillis(300), Duration.ofHours(1), OcspOptions.Nonce.OPTIONAL, true, true);

    private final TestResponder responder = new TestResponder(AUTHORITY);
    private final Issued device = AUTHORITY.issue("device", responder.url());

    @TempDir
    private Path directory;

    private @Nullable TlsContext tls;
    private @Nullable TestBroker broker;

    @AfterEach
    void closeEverything() {
        if (broker != null) {
            broker.close();
        }
        if (tls != null) {
            tls.close();
        }
        responder.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldLetInWhoIsGoodAndRefuseWhoIsRevoked(String protocol) throws Exception {
        // given
        start(options(STRICT));
        Issued revoked = AUTHORITY.issue("revoked", responder.url());
        responder.revoke(revoked);

        // then the handshake of the first attempt is complete, and that of the second one is not
        assertThat(isLetIn(context(device, protocol))).isTrue();
        assertThat(isLetIn(context(revoked, protocol))).isFalse();
        assertThat(isLetIn(context(revoked, protocol))).isFalse();
        broker.awaitCount(Counter.TLS_HANDSHAKE_FAILURES, 2);
    }

    @Test
    void shouldAskOnceForAllWhoWaitAndRememberTheAnswer() throws Exception {
        start(options(STRICT));
        List<CompletableFuture<Boolean>> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            clients.add(CompletableFuture.supplyAsync(() -> isLetIn(context(device, "TLSv1.3"))));
        }

        for (CompletableFuture<Boolean> client : clients) {
            assertThat(client.get()).isTrue();
        }
        assertThat(isLetIn(context(device, "TLSv1.3"))).isTrue();
        assertThat(responder.requests()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Behavior.class,
            names = {"SILENT", "WRONG_SIGNER", "STALE", "MALFORMED"})
    void shouldTakeWhomItKnowsNothingAboutOnlyWhereThatIsAllowed(Behavior behavior) throws Exception {
        responder.behave(behavior);

        start(options(new OcspOptions(
                null, Duration.ofMillis(300), Duration.ofHours(1), OcspOptions.Nonce.OPTIONAL, true, false)));
        assertThat(isLetIn(context(device, "TLSv1.3"))).isFalse();
        closeBroker();

        start(options(LENIENT));
        assertThat(isLetIn(context(device, "TLSv1.3"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeWhomTheResponderDoesNotKnowOnlyWhereThatIsAllowed(boolean allowed) throws Exception {
        responder.forget(device);

        start(options(allowed ? LENIENT : STRICT));

        assertThat(isLetIn(context(device, "TLSv1.3"))).isEqualTo(allowed);
    }

    @Test
    void shouldLetClientsInWhomItKnowsWhileTheResponderIsSilent() throws Exception {
        // given a client that is known
        start(options(new OcspOptions(
                null, Duration.ofSeconds(8), Duration.ofHours(1), OcspOptions.Nonce.OPTIONAL, true, false)));
        assertThat(isLetIn(context(device, "TLSv1.3"))).isTrue();

        // when others wait for an answer
        responder.behave(Behavior.SILENT);
        List<Socket> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            SSLSocket socket = (SSLSocket) context(AUTHORITY.issue("other", responder.url()), "TLSv1.3")
                    .getSocketFactory()
                    .createSocket("127.0.0.1", broker.port());
            socket.startHandshake();
            others.add(socket);
        }
        await().atMost(PATIENCE).until(() -> tls.waitingForStatus() > 0);

        // then
        assertThat(isLetIn(context(device, "TLSv1.3"))).isTrue();
        assertThat(tls.waitingForStatus()).as("others wait still").isPositive();
        for (Socket other : others) {
            other.close();
        }
    }

    @Test
    void shouldServeWhatAClientSendsWhileItsCertificateIsLookedUp() throws Exception {
        // given a responder that does not answer, whose silence is no reason to refuse a client
        start(options(LENIENT));
        responder.behave(Behavior.SILENT);

        // when a client sends a lot after its CONNECT without waiting
        try (SSLSocket socket = socket(context(device, "TLSv1.3"))) {
            byte[] connect = {0x10, 12, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 0};
            socket.getOutputStream().write(connect);
            for (int i = 0; i < 100; i++) {
                socket.getOutputStream().write(new byte[] {(byte) 0xC0, 0});
            }

            // then
            byte[] answers = socket.getInputStream().readNBytes(4 + 2 * 100);
            assertThat(answers).startsWith(0x20, 2, 0, 0).endsWith(0xD0, 0);
        }
    }

    @Test
    void shouldEndConnectionsWhenANewAnswerSaysRevoked() throws Exception {
        // given
        start(options(STRICT));
        responder.setValidity(Duration.ofSeconds(2));
        Issued other = AUTHORITY.issue("other", responder.url());
        try (SSLSocket mqtt = connected(context(device, "TLSv1.3"));
                SSLSocket web = webSocket(context(device, "TLSv1.2"));
                SSLSocket good = connected(context(other, "TLSv1.3"))) {
            // when
            responder.revoke(device);

            // then
            assertThat(answer(mqtt)).as("MQTT ends").isNegative();
            assertThat(answer(web)).as("WebSocket gets a close frame, or ends").isIn(0x88, -1);
            broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
            good.getOutputStream().write(new byte[] {(byte) 0xC0, 0});
            assertThat(answer(good)).as("PINGRESP").isEqualTo(0xD0);
        }
        assertThat(isLetIn(context(device, "TLSv1.3"))).isFalse();
    }

    @Test
    void shouldKeepConnectionsWhileTheResponderIsSilent() throws Exception {
        // given
        start(options(STRICT));
        responder.setValidity(Duration.ofSeconds(1));
        try (SSLSocket mqtt = connected(context(device, "TLSv1.3"))) {
            // when its answer is over, and another one does not count
            responder.behave(Behavior.TRY_LATER);
            int before = responder.requests();
            await().atMost(PATIENCE).until(() -> responder.requests() > before);
            assertThat(isLetIn(context(device, "TLSv1.3"))).as("a new one").isFalse();

            // then
            mqtt.getOutputStream().write(new byte[] {(byte) 0xC0, 0});
            assertThat(answer(mqtt)).as("PINGRESP").isEqualTo(0xD0);
        }
    }

    @Test
    void shouldNotResumeTheSessionOfAClientThatIsRevokedLater() throws Exception {
        // given
        start(options(STRICT));
        responder.setValidity(Duration.ofSeconds(4)); // in whole seconds, and two clients have to come in that time
        SSLContext client = context(device, "TLSv1.3");
        assertThat(isLetIn(client)).isTrue();
        assertThat(isLetIn(client)).isTrue();
        assertThat(broker.count(Counter.TLS_HANDSHAKES_RESUMED)).isEqualTo(1);

        // when
        responder.revoke(device);

        // then
        await().atMost(PATIENCE).until(() -> !isLetIn(client));
    }

    @Test
    void shouldAskTheResponderOfOpenSsl() throws Exception {
        // given
        int port = FreePort.next();
        URI place = URI.create("http://127.0.0.1:" + port);
        Issued good = AUTHORITY.issue("good", place);
        Issued bad = AUTHORITY.issue("bad", place);
        Issued signer = AUTHORITY.issueForAnswers("responder", Instant.now().plus(Duration.ofDays(1)));
        Path index = Files.writeString(
                directory.resolve("index.txt"), line('V', "", good) + line('R', "200101000000Z", bad));
        Process openssl = new ProcessBuilder(
                        InstalledPrograms.onPath("openssl"),
                        "ocsp",
                        "-port",
                        String.valueOf(port),
                        "-index",
                        index.toString(),
                        "-CA",
                        AUTHORITY.writeTo(directory.resolve("ca.pem")).toString(),
                        "-rsigner",
                        signer.writeCertificate(directory.resolve("signer.pem")).toString(),
                        "-rkey",
                        signer.writeKey(directory.resolve("signer.key")).toString(),
                        "-nmin",
                        "10")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("openssl.log").toFile())
                .start();
        try {
            // one connection after the other is served, so it is left alone until the log says that it listens
            await().atMost(PATIENCE)
                    .until(() ->
                            Files.readString(directory.resolve("openssl.log")).contains("waiting for OCSP client"));

            // when
            start(options(new OcspOptions(
                    null, Duration.ofSeconds(8), Duration.ofHours(1), OcspOptions.Nonce.REQUIRED, false, false)));

            // then
            assertThat(isLetIn(context(good, "TLSv1.3"))).isTrue();
            assertThat(isLetIn(context(bad, "TLSv1.3"))).isFalse();
        } finally {
            openssl.destroy();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void shouldStapleTheAnswerAboutItsOwnCertificate(String version) throws Exception {
        // given
        Issued server = AUTHORITY.issue("localhost", responder.url());
        start(stapling(server));
        await().atMost(PATIENCE).until(() -> tls.stapledUntil() != null);

        // then
        assertThat(statusAsked(version))
                .contains("OCSP Response Status: successful")
                .contains("Cert Status: good");

        // when the responder is away, the answer stays
        responder.behave(Behavior.SILENT);
        tls.reload();
        assertThat(statusAsked(version)).contains("Cert Status: good");
    }

    @Test
    void shouldServeClientsWithoutAnAnswerWhereThereIsNone() throws Exception {
        // given
        responder.behave(Behavior.SILENT);
        start(stapling(AUTHORITY.issue("localhost", responder.url())));

        // then
        assertThat(statusAsked("-tls1_3")).contains("OCSP response: no response sent");
        assertThat(isLetIn(context(null, "TLSv1.3"))).isTrue();
    }

    @Test
    void shouldRenewTheAnswerBeforeItIsOverAndDropOneThatSaysRevoked() throws Exception {
        // given
        Issued server = AUTHORITY.issue("localhost", responder.url());
        responder.setValidity(Duration.ofSeconds(4));
        start(stapling(server));
        await().atMost(PATIENCE).until(() -> responder.requests() > 2);
        assertThat(tls.stapledUntil()).isNotNull();

        // when
        responder.revoke(server);

        // then
        await().atMost(PATIENCE).until(() -> tls.stapledUntil() == null);
        assertThat(statusAsked("-tls1_3")).contains("OCSP response: no response sent");
    }

    /** What s_client says of the answer that comes with the handshake. */
    private String statusAsked(String version) throws IOException, InterruptedException {
        Path log = directory.resolve("s_client.log");
        Process process = new ProcessBuilder(
                        InstalledPrograms.onPath("openssl"),
                        "s_client",
                        "-connect",
                        "127.0.0.1:" + broker.port(),
                        version,
                        "-status",
                        "-CAfile",
                        directory.resolve("ca.pem").toString())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.waitFor();
        return Files.readString(log, StandardCharsets.UTF_8);
    }

    private static String line(char status, String revoked, Issued issued) {
        String number = issued.certificate().getSerialNumber().toString(16).toUpperCase(Locale.ROOT);
        return status + "\t401231235959Z\t" + revoked + "\t" + (number.length() % 2 == 0 ? "" : "0") + number
                + "\tunknown\t/CN=x\n";
    }

    private TlsOptions options(OcspOptions ocsp) {
        return options(AUTHORITY.issue("localhost"), ClientCertificates.REQUIRE).withStatuses(ocsp);
    }

    private TlsOptions stapling(Issued server) {
        return options(server, ClientCertificates.NONE).withStapling(true);
    }

    private TlsOptions options(Issued server, ClientCertificates clients) {
        KeySource key = new KeySource.Pem(
                server.writeChain(directory.resolve("server.pem")),
                server.writeKey(directory.resolve("server.key")),
                null);
        ClientTrust trust = new ClientTrust(List.of(AUTHORITY.writeTo(directory.resolve("ca.pem"))), List.of());
        return new TlsOptions(
                key,
                trust,
                TlsVersion.TLS_1_2,
                CipherClass.MEDIUM,
                false,
                clients,
                TlsLibrary.BEST,
                (int) PATIENCE.toMillis(),
                1_000);
    }

    private void start(TlsOptions options) throws TlsException {
        tls = TlsContext.load("test", options, new SystemClock());
        broker = TestBroker.with(MqttTestBroker.mqtt(
                        MqttOptions.DEFAULT,
                        new CertificateAuthenticator(
                                new CertificateUse(
                                        options.clientCertificates() == ClientCertificates.REQUIRE, false, false),
                                new InMemoryUsers(Map.of()),
                                new AnonymousAuthenticator())))
                .and(MqttTestBroker.webSocket(new WebSocketOptions(null, AllowedOrigins.SAME_HOST)))
                .tls(tls)
                .start();
    }

    private void closeBroker() {
        broker.close();
        tls.close();
    }

    private static SSLContext context(@Nullable Issued own, String protocol) {
        return AUTHORITY.clientContext(own, protocol);
    }

    private boolean isLetIn(SSLContext client) {
        try {
            connected(client).close();
            return true;
        } catch (SSLException | SocketException refused) {
            return false;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private SSLSocket socket(SSLContext client) throws IOException {
        SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", broker.port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    /** A client that has its CONNACK. */
    private SSLSocket connected(SSLContext client) throws IOException {
        SSLSocket socket = socket(client);
        byte[] connect = {0x10, 12, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 0};
        socket.getOutputStream().write(connect);
        byte[] connack = socket.getInputStream().readNBytes(4);
        if (connack.length < 4 || connack[3] != 0) {
            socket.close();
            throw new SocketException("refused");
        }
        return socket;
    }

    /** A WebSocket that has done its handshake, and nothing else. */
    private SSLSocket webSocket(SSLContext client) throws IOException {
        SSLSocket socket = socket(client);
        socket.getOutputStream().write("""
                GET /mqtt HTTP/1.1\r
                Host: localhost\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Sec-WebSocket-Protocol: mqtt\r
                Sec-WebSocket-Version: 13\r
                \r
                """.getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) socket.getInputStream().read());
        }
        assertThat(head).startsWith("HTTP/1.1 101");
        return socket;
    }

    private static int answer(SSLSocket socket) throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SSLException | SocketException ended) {
            return -1;
        }
    }
}
