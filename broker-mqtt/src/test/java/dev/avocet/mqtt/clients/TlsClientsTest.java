package dev.avocet.mqtt.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.security.login.Authenticator;
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
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.frontend.AllowedOrigins;
import dev.avocet.mqtt.frontend.WebSocketOptions;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.testkit.InstalledPrograms;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that speak TLS, with and without certificates, over TCP and WebSocket. */
@InTurn
class TlsClientsTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Test CA");
    private static final TestAuthority STRANGER = new TestAuthority("Another CA");
    private static final int CONNACK = 0x20;
    private static final int PATIENCE_SECONDS = 40;
    private static final CertificateUse CERTIFICATE_ONLY = new CertificateUse(true, true, false);

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
    }

    @ParameterizedTest
    @CsvSource({"JDK,TLSv1.2", "JDK,TLSv1.3", "BORINGSSL,TLSv1.2", "BORINGSSL,TLSv1.3"})
    void shouldServeEveryVersionThatIsAllowed(TlsLibrary library, String protocol) throws MqttException, TlsException {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.NONE, library));

        try (PahoTls client = new PahoTls("c", null, protocol)) {
            assertThat(client.echo("x".repeat(100_000))).hasSize(100_000);
        }
        assertThat(broker.count(Counter.TLS_HANDSHAKES)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsLibrary.class,
            names = {"JDK", "BORINGSSL"})
    void shouldRefuseAnOlderVersionThanTheLeast(TlsLibrary library) throws TlsException {
        start(options(TlsVersion.TLS_1_3, CipherClass.BEST, ClientCertificates.NONE, library));

        assertThatThrownBy(() -> new PahoTls("c", null, "TLSv1.2")).isInstanceOf(MqttException.class);

        broker.awaitCount(Counter.TLS_HANDSHAKE_FAILURES, 1);
    }

    @ParameterizedTest
    @CsvSource({"FAST,true", "MEDIUM,false"})
    void shouldTakeAStaticKeyExchangeOnlyInTheFastClass(CipherClass ciphers, boolean taken)
            throws TlsException, IOException {
        Issued server = AUTHORITY.issueRsa("localhost");
        start(options(server, TlsVersion.TLS_1_2, ciphers, ClientCertificates.NONE, TlsLibrary.BORINGSSL));

        try (SSLSocket socket = (SSLSocket)
                AUTHORITY.clientContext(null, "TLSv1.2").getSocketFactory().createSocket("127.0.0.1", broker.port())) {
            socket.setEnabledCipherSuites(new String[] {"TLS_RSA_WITH_AES_256_GCM_SHA384"});
            if (taken) {
                socket.startHandshake();
                assertThat(socket.getSession().getCipherSuite()).isEqualTo("TLS_RSA_WITH_AES_256_GCM_SHA384");
            } else {
                assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"JDK,TLSv1.2", "JDK,TLSv1.3", "BORINGSSL,TLSv1.2", "BORINGSSL,TLSv1.3"})
    void shouldServeWithAnRsaKey(TlsLibrary library, String protocol) throws MqttException, TlsException {
        Issued server = AUTHORITY.issueRsa("localhost");
        start(
                options(server, TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.REQUIRE, library),
                CERTIFICATE_ONLY);

        try (PahoTls client = new PahoTls("device-7", AUTHORITY.issue("device-7"), protocol)) {
            assertThat(client.echo("hello")).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @CsvSource({"JDK,TLSv1.2", "JDK,TLSv1.3", "BORINGSSL,TLSv1.2", "BORINGSSL,TLSv1.3"})
    void shouldLetInWhoShowsAGoodCertificate(TlsLibrary library, String protocol) throws MqttException, TlsException {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.REQUIRE, library), CERTIFICATE_ONLY);

        try (PahoTls client = new PahoTls("device-7", AUTHORITY.issue("device-7"), protocol)) {
            assertThat(client.echo("hello")).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "JDK,TLSv1.2,none",
        "JDK,TLSv1.3,expired",
        "JDK,TLSv1.3,stranger",
        "BORINGSSL,TLSv1.2,none",
        "BORINGSSL,TLSv1.2,expired",
        "BORINGSSL,TLSv1.3,none",
        "BORINGSSL,TLSv1.3,expired",
        "BORINGSSL,TLSv1.3,stranger"
    })
    void shouldKeepOutWhoShowsNoneOrABadOne(TlsLibrary library, String protocol, String which) throws TlsException {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.REQUIRE, library), CERTIFICATE_ONLY);
        Issued shown =
                switch (which) {
                    case "expired" -> AUTHORITY.issue("device-7", Instant.now().minus(Duration.ofDays(1)));
                    case "stranger" -> STRANGER.issue("device-7");
                    default -> null;
                };

        assertThatThrownBy(() -> new PahoTls("device-7", shown, protocol)).isInstanceOf(MqttException.class);

        broker.awaitCount(Counter.TLS_HANDSHAKE_FAILURES, 1);
        broker.awaitCount(Counter.CONNECTIONS_BAD, 1);
        assertThat(broker.count(Counter.SESSIONS)).isZero();
    }

    @Test
    void shouldKeepOutWhoShowsTheCertificateOfAnother() throws TlsException {
        start(
                options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.REQUIRE, TlsLibrary.BEST),
                CERTIFICATE_ONLY);

        assertThatThrownBy(() -> new PahoTls("device-8", AUTHORITY.issue("device-7"), "TLSv1.3"))
                .isInstanceOfSatisfying(
                        MqttException.class,
                        e -> assertThat(e.getReasonCode()).isEqualTo(MqttException.REASON_CODE_NOT_AUTHORIZED));
    }

    @Test
    void shouldAskForACertificateAndDoWithout() throws TlsException, MqttException {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.REQUEST, TlsLibrary.BEST));

        try (PahoTls without = new PahoTls("a", null, "TLSv1.3");
                PahoTls with = new PahoTls("b", AUTHORITY.issue("b"), "TLSv1.3")) {
            assertThat(without.echo("1")).isEqualTo("1");
            assertThat(with.echo("2")).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsLibrary.class,
            names = {"JDK", "BORINGSSL"})
    void shouldTakeANewCertificateWithoutDroppingAnybody(TlsLibrary library) throws Exception {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.NONE, library));
        Issued renewed = AUTHORITY.issue("renewed");
        try (PahoTls before = new PahoTls("before", null, "TLSv1.3")) {
            // when
            renewed.writeCertificate(directory.resolve("server.pem"));
            renewed.writeKey(directory.resolve("server.key"));
            tls.reload();

            // then
            try (PahoTls after = new PahoTls("after", null, "TLSv1.3");
                    SSLSocket socket = (SSLSocket) AUTHORITY
                            .clientContext(null, "TLSv1.3")
                            .getSocketFactory()
                            .createSocket("127.0.0.1", broker.port())) {
                socket.startHandshake();
                assertThat(socket.getSession().getPeerPrincipal().getName()).contains("renewed");
                assertThat(before.echo("still there")).isEqualTo("still there");
                assertThat(after.echo("new")).isEqualTo("new");
            }
        }
    }

    @Test
    void shouldRefusePlainBytes() throws TlsException, IOException {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.NONE, TlsLibrary.BEST));

        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEnded(socket);
        }

        broker.awaitCount(Counter.TLS_MISMATCHES, 1);
        broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
    }

    @Test
    void shouldRefuseTlsWhereThereIsNone() {
        broker = MqttTestBroker.start();

        assertThatThrownBy(() -> new PahoTls("c", null, "TLSv1.3")).isInstanceOf(MqttException.class);

        broker.awaitCount(Counter.TLS_MISMATCHES, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 60})
    void shouldNotWaitForEverForAHandshake(int sentBytes) throws TlsException, IOException {
        TlsOptions usual = options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.NONE, TlsLibrary.BEST);
        start(
                new TlsOptions(
                        usual.key(),
                        ClientTrust.NONE,
                        usual.minimumVersion(),
                        usual.ciphers(),
                        false,
                        usual.clientCertificates(),
                        usual.library(),
                        300,
                        1),
                CertificateUse.NONE);

        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            byte[] helloWithoutEnd = new byte[sentBytes];
            if (sentBytes > 0) {
                byte[] header = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC, 3, 3};
                System.arraycopy(header, 0, helloWithoutEnd, 0, Math.min(header.length, sentBytes));
                socket.getOutputStream().write(helloWithoutEnd);
            } else {
                broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
                broker.advance(Duration.ofSeconds(11)); // the deadline for everything that comes before CONNECT
            }
            assertEnded(socket);
        }

        broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        await("the place is free again").until(tls::beginHandshake);
    }

    @Test
    void shouldSurviveRecordsThatCannotBeDecrypted() throws Exception {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.NONE, TlsLibrary.BEST));
        try (Socket raw = new Socket(InetAddress.getLoopbackAddress(), broker.port());
                SSLSocket socket = (SSLSocket) AUTHORITY
                        .clientContext(null, "TLSv1.2")
                        .getSocketFactory()
                        .createSocket(raw, "127.0.0.1", broker.port(), false)) {
            socket.startHandshake();
            byte[] record = new byte[5 + 40];
            System.arraycopy(new byte[] {0x17, 3, 3, 0, 40}, 0, record, 0, 5);

            raw.getOutputStream().write(record);
            assertThat(raw.getInputStream().read()).as("an alert").isEqualTo(0x15);
            raw.getOutputStream().write(record); // BoringSSL fails for good with whatever comes after its alert

            broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        }
        try (PahoTls client = new PahoTls("c", null, "TLSv1.3")) {
            assertThat(client.echo("x")).isEqualTo("x");
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2,true", "TLSv1.3,true", "TLSv1.2,false", "TLSv1.3,false"})
    void shouldResumeSessionsWhereThatIsAllowed(String protocol, boolean allowed) throws Exception {
        // given
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.NONE, TlsLibrary.BORINGSSL)
                .withResumption(allowed));
        SSLContext client = AUTHORITY.clientContext(null, protocol);

        // when
        for (int i = 0; i < 3; i++) {
            assertThat(connect(client)).isEqualTo(CONNACK);
        }

        // then
        assertThat(broker.count(Counter.TLS_HANDSHAKES)).isEqualTo(3);
        assertThat(broker.count(Counter.TLS_HANDSHAKES_RESUMED)).isEqualTo(allowed ? 2 : 0);
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL,TLSv1.2", "BORINGSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void shouldCheckTheCertificateOfAResumedSessionAgain(TlsLibrary library, String protocol) throws Exception {
        // given a client that resumes
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.REQUIRE, library), CERTIFICATE_ONLY);
        SSLContext client = AUTHORITY.clientContext(AUTHORITY.issue("device-7"), protocol);
        assertThat(connect(client)).isEqualTo(CONNACK);
        assertThat(connect(client)).isEqualTo(CONNACK);
        if (library == TlsLibrary.BORINGSSL) {
            assertThat(broker.count(Counter.TLS_HANDSHAKES_RESUMED)).isEqualTo(1);
        }

        // when its authority is not trusted any more
        STRANGER.writeTo(directory.resolve("ca.pem"));
        tls.reload();

        // then
        assertThat(connect(client)).isNotEqualTo(CONNACK);
        broker.awaitCount(Counter.TLS_HANDSHAKE_FAILURES, 1);
    }

    @Test
    void shouldNotResumeTheSessionOfAClientWhoseCertificateExpires() throws Exception {
        // given a client that resumes
        start(
                options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.REQUIRE, TlsLibrary.BORINGSSL),
                CERTIFICATE_ONLY);
        Instant expiry = Instant.now().plusSeconds(6);
        SSLContext client = AUTHORITY.clientContext(AUTHORITY.issue("device-7", expiry), "TLSv1.3");
        assertThat(connect(client)).isEqualTo(CONNACK);
        assertThat(connect(client)).isEqualTo(CONNACK);
        assertThat(broker.count(Counter.TLS_HANDSHAKES_RESUMED)).isEqualTo(1);

        // when its certificate expires
        await().until(() -> Instant.now().isAfter(expiry.plusSeconds(1)));

        // then
        assertThat(connect(client)).isNotEqualTo(CONNACK);
        broker.awaitCount(Counter.TLS_HANDSHAKE_FAILURES, 1);
    }

    /** Says who it is, as MQTT 3.1.1 client, and tells the first byte of the answer; -1 when there is none. */
    private int connect(SSLContext client) throws IOException {
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", broker.port())) {
            socket.setSoTimeout((int) Duration.ofSeconds(PATIENCE_SECONDS).toMillis());
            byte[] connect = {
                0x10, 20, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 60, 0, 8, 'd', 'e', 'v', 'i', 'c', 'e', '-', '7'
            };
            socket.getOutputStream().write(connect);
            return socket.getInputStream().read();
        } catch (SSLException | SocketException refused) {
            return -1;
        }
    }

    @Test
    void shouldServeManyWhoComeAtOnce() throws Exception {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.NONE, TlsLibrary.BEST));
        var factory = AUTHORITY.clientContext(null, "TLSv1.3").getSocketFactory();

        List<SSLSocket> sockets = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            SSLSocket socket = (SSLSocket) factory.createSocket("127.0.0.1", broker.port());
            sockets.add(socket);
            threads.add(new Thread(() -> {
                try {
                    socket.startHandshake();
                } catch (IOException e) {
                    // counted as a failure by the broker
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(Duration.ofSeconds(PATIENCE_SECONDS).toMillis());
        }

        broker.awaitCount(Counter.TLS_HANDSHAKES, 60);
        for (SSLSocket socket : sockets) {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tlsv1.2", "tlsv1.3"})
    void shouldServeMosquitto(String version) throws Exception {
        start(
                options(TlsVersion.TLS_1_2, CipherClass.BEST, ClientCertificates.REQUIRE, TlsLibrary.BEST),
                CERTIFICATE_ONLY);
        Issued device = AUTHORITY.issue("device-7");
        String certificate =
                device.writeCertificate(directory.resolve("device.pem")).toString();
        String key = device.writeKey(directory.resolve("device.key")).toString();
        String[] publish = {
            "-i",
            "device-7",
            "-t",
            "t",
            "-m",
            "x",
            "-q",
            "1",
            "--tls-version",
            version,
            "--cafile",
            directory.resolve("ca.pem").toString()
        };

        assertThat(mosquitto(publish)).as("without certificate").isNotZero();
        assertThat(mosquitto(with(publish, "--cert", certificate, "--key", key)))
                .isZero();
    }

    @Test
    void shouldServeMqttJsOverSecureWebSockets() throws TlsException {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.NONE, TlsLibrary.BEST));

        try (TestClient client = new LineClient(
                ForeignClients.node(),
                Map.of(
                        "NODE_PATH",
                        ForeignClients.nodePath(),
                        "WEB_SOCKET",
                        "/mqtt",
                        "CA_FILE",
                        directory.resolve("ca.pem").toString()),
                broker.port(),
                5,
                ClientOptions.clean("js"))) {
            client.subscribe("t", 1);
            client.publish("t", 1, false, "secret", Map.of());
            assertThat(client.receive().payload()).isEqualTo("secret");
        }
    }

    @Test
    void shouldServeHiveMqOverSecureWebSockets() throws Exception {
        start(options(TlsVersion.TLS_1_2, CipherClass.MEDIUM, ClientCertificates.NONE, TlsLibrary.BEST));
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", AUTHORITY.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);

        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier("hive")
                .serverHost("127.0.0.1")
                .serverPort(broker.port())
                .sslConfig()
                .trustManagerFactory(trust)
                .applySslConfig()
                .webSocketConfig()
                .serverPath("mqtt")
                .applyWebSocketConfig()
                .buildBlocking();

        assertThat(client.connect().getReasonCode()).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        client.disconnect();
    }

    private TlsOptions options(
            TlsVersion version, CipherClass ciphers, ClientCertificates clients, TlsLibrary library) {
        return options(AUTHORITY.issue("localhost"), version, ciphers, clients, library);
    }

    private TlsOptions options(
            Issued server, TlsVersion version, CipherClass ciphers, ClientCertificates clients, TlsLibrary library) {
        KeySource key = new KeySource.Pem(
                server.writeCertificate(directory.resolve("server.pem")),
                server.writeKey(directory.resolve("server.key")),
                null);
        Path trusted = AUTHORITY.writeTo(directory.resolve("ca.pem"));
        ClientTrust trust = new ClientTrust(List.of(trusted), List.of());
        return new TlsOptions(key, trust, version, ciphers, false, clients, library, 5_000, 1_000);
    }

    private void start(TlsOptions options) throws TlsException {
        start(options, CertificateUse.NONE);
    }

    private void start(TlsOptions options, CertificateUse use) throws TlsException {
        tls = TlsContext.load("test", options, new SystemClock());
        Authenticator authenticator =
                new CertificateAuthenticator(use, new InMemoryUsers(Map.of()), new AnonymousAuthenticator());
        broker = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT, authenticator))
                .and(MqttTestBroker.webSocket(new WebSocketOptions(null, AllowedOrigins.SAME_HOST)))
                .tls(tls)
                .start();
    }

    private int mosquitto(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(InstalledPrograms.onPath("mosquitto_pub"), "-h", "127.0.0.1", "-p", "" + broker.port()));
        command.addAll(Arrays.asList(arguments));
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("mosquitto_pub does not end");
        }
        return process.exitValue();
    }

    private static String[] with(String[] arguments, String... more) {
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return all;
    }

    private static void assertEnded(Socket socket) throws IOException {
        socket.setSoTimeout((int) Duration.ofSeconds(PATIENCE_SECONDS).toMillis());
        InputStream input = socket.getInputStream();
        try {
            while (input.read() >= 0) {
                // an alert, perhaps
            }
        } catch (SocketException e) {
            // a reset is an end, too
        }
    }

    /** Paho for Java over TLS. */
    private final class PahoTls implements AutoCloseable {
        private final org.eclipse.paho.client.mqttv3.MqttClient client;
        private final Inbox<String> messages = new Inbox<>();

        PahoTls(String clientId, @Nullable Issued own, String protocol) throws MqttException {
            client = new org.eclipse.paho.client.mqttv3.MqttClient(
                    "ssl://127.0.0.1:" + broker.port(), clientId, new MemoryPersistence());
            client.setTimeToWait(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            MqttConnectOptions connect = new MqttConnectOptions();
            connect.setMqttVersion(MqttConnectOptions.MQTT_VERSION_3_1_1);
            connect.setSocketFactory(AUTHORITY.clientContext(own, protocol).getSocketFactory());
            client.connect(connect);
        }

        String echo(String text) throws MqttException {
            client.subscribe(
                    "echo/" + client.getClientId(),
                    1,
                    (topic, message) -> messages.add(new String(message.getPayload(), StandardCharsets.UTF_8)));
            client.publish("echo/" + client.getClientId(), text.getBytes(StandardCharsets.UTF_8), 1, false);
            return messages.take("the echo");
        }

        @Override
        public void close() throws MqttException {
            client.disconnectForcibly(0, 100, true);
            client.close(true);
        }
    }
}
