package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS handshakes as attackers make them: each is refused, and the log says why in a line. */
@InTurn
class BadHandshakesTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Test CA");
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int PROTOCOL_VERSION = 70;
    /** The end of the random bytes of a server that could have spoken TLS 1.3 (RFC 8446, 4.1.3). */
    private static final String DOWNGRADED = "444f574e47524401";

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
    @CsvSource(
            delimiter = '|',
            value = {
                "BORINGSSL|TLSv1.2|nul|holds a control character",
                "BORINGSSL|TLSv1.3|nul|holds a control character",
                "JDK|TLSv1.3|nul|holds a control character",
                "BORINGSSL|TLSv1.2|twice|extension",
                "BORINGSSL|TLSv1.3|twice|extension",
                "JDK|TLSv1.3|twice|extension",
                "BORINGSSL|TLSv1.2|subject|bytes",
                "BORINGSSL|TLSv1.3|subject|bytes",
                "JDK|TLSv1.3|subject|exceeds the maximum allowed size",
                "BORINGSSL|TLSv1.2|chain|certificates",
                "BORINGSSL|TLSv1.3|chain|certificates",
                "JDK|TLSv1.3|chain|exceeds the maximum allowed size"
            })
    void shouldRefuseCertificatesThatNoAuthorityShouldMake(
            TlsLibrary library, String protocol, String which, String reason) throws Exception {
        start(ClientCertificates.REQUIRE, library);
        try (CapturedLog log = new CapturedLog()) {
            // when
            assertThat(isLetIn(context(protocol, shown(which)))).isFalse();

            // then
            broker.awaitCount(Counter.TLS_HANDSHAKE_FAILURES, 1);
            await().atMost(PATIENCE).until(() -> !log.texts().isEmpty());
            assertThat(log.texts())
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("TLS handshake failed at endpoint 'test' with /127.0.0.1:")
                    .contains(reason)
                    .hasSizeLessThan(700);
        }
        Issued good = good();
        assertThat(isLetIn(context(protocol, ForgedCertificate.showing(good, good.certificate()))))
                .as("a good one is good")
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsLibrary.class,
            names = {"JDK", "BORINGSSL"})
    void shouldNotNegotiateAgain(TlsLibrary library) throws Exception {
        start(ClientCertificates.NONE, library);
        try (SSLSocket socket = socket(context("TLSv1.2", new KeyManager[0]))) {
            assertThat(connack(socket)).isTrue();

            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        socket.getOutputStream().write(new byte[] {(byte) 0xC0, 0});
                        if (socket.getInputStream().read() < 0) {
                            throw new SocketException("the broker has ended the connection");
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThat(broker.count(Counter.TLS_HANDSHAKES)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsLibrary.class,
            names = {"JDK", "BORINGSSL"})
    void shouldTellClientsThatWereTalkedOutOfTheNewerVersion(TlsLibrary library) throws Exception {
        start(ClientCertificates.NONE, library);

        byte[] hello = answer(0x0303);

        assertThat(hello[0]).isEqualTo((byte) HANDSHAKE);
        assertThat(HexFormat.of().formatHex(hello, 5 + 4 + 2 + 24, 5 + 4 + 2 + 32))
                .isEqualTo(DOWNGRADED);
    }

    @ParameterizedTest
    @CsvSource({"JDK,769", "JDK,770", "BORINGSSL,769", "BORINGSSL,770"})
    void shouldSpeakNoBrokenVersion(TlsLibrary library, int version) throws Exception {
        start(ClientCertificates.NONE, library);

        byte[] alert = answer(version);

        assertThat(alert[0]).isEqualTo((byte) ALERT);
        assertThat(alert[6]).isEqualTo((byte) PROTOCOL_VERSION);
        broker.awaitCount(Counter.TLS_HANDSHAKE_FAILURES, 1);
    }

    private static Issued good() {
        return AUTHORITY.issue("device-7");
    }

    private static KeyManager[] shown(String which) throws Exception {
        Issued good = good();
        return switch (which) {
            case "nul" -> {
                Issued odd = AUTHORITY.issue("admin\0device");
                yield ForgedCertificate.showing(odd, odd.certificate());
            }
            case "twice" ->
                ForgedCertificate.showing(
                        good, ForgedCertificate.withAnExtensionTwice(good.certificate(), AUTHORITY.signingKey()));
            case "subject" -> {
                Issued huge = AUTHORITY.issue("x".repeat(64 << 10));
                yield ForgedCertificate.showing(huge, huge.certificate());
            }
            default ->
                ForgedCertificate.showing(
                        good, Collections.nCopies(100, good.certificate()).toArray(X509Certificate[]::new));
        };
    }

    private void start(ClientCertificates clients, TlsLibrary library) throws TlsException {
        Issued server = AUTHORITY.issue("localhost");
        KeySource key = new KeySource.Pem(
                server.writeCertificate(directory.resolve("server.pem")),
                server.writeKey(directory.resolve("server.key")),
                null);
        ClientTrust trust = new ClientTrust(List.of(AUTHORITY.writeTo(directory.resolve("ca.pem"))), List.of());
        TlsOptions options = new TlsOptions(
                key, trust, TlsVersion.TLS_1_2, CipherClass.MEDIUM, false, clients, library, 20_000, 1_000);
        tls = TlsContext.load("test", options, new SystemClock());
        CertificateUse use = new CertificateUse(clients == ClientCertificates.REQUIRE, false, false);
        broker = TestBroker.with(MqttTestBroker.mqtt(
                        MqttOptions.DEFAULT,
                        new CertificateAuthenticator(use, new InMemoryUsers(Map.of()), new AnonymousAuthenticator())))
                .tls(tls)
                .start();
    }

    private static SSLContext context(String protocol, KeyManager[] own) throws Exception {
        SSLContext context = SSLContext.getInstance(protocol);
        context.init(own, new TrustManager[] {new Trusting()}, null);
        return context;
    }

    private SSLSocket socket(SSLContext client) throws IOException {
        SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", broker.port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    private boolean isLetIn(SSLContext client) throws IOException {
        try (SSLSocket socket = socket(client)) {
            return connack(socket);
        } catch (SSLException | SocketException refused) {
            return false;
        }
    }

    private static boolean connack(SSLSocket socket) throws IOException {
        socket.getOutputStream().write(new byte[] {0x10, 12, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 0});
        byte[] connack = socket.getInputStream().readNBytes(4);
        return connack.length == 4 && connack[3] == 0;
    }

    /** The first record that comes for a ClientHello of that version, which knows none of the extensions of TLS 1.3. */
    private byte[] answer(int version) throws IOException {
        String extensions = "000a00040002" + "0017" + "000b00020100" + "000d00040002" + "0403" + "00170000";
        String body = "%04x".formatted(version) + "11".repeat(32) + "00" + "0006" + "c02bc02cc009" + "0100"
                + "%04x".formatted(extensions.length() / 2) + extensions;
        String message = "01" + "%06x".formatted(body.length() / 2) + body;
        String hello = "16" + "0301" + "%04x".formatted(message.length() / 2) + message;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(HexFormat.of().parseHex(hello));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] head = in.readNBytes(5);
            byte[] record = new byte[head.length + ((head[3] & 0xFF) << 8 | head[4] & 0xFF)];
            System.arraycopy(head, 0, record, 0, head.length);
            in.readFully(record, head.length, record.length - head.length);
            return record;
        }
    }

    /** Of a client that does not care who the server is. */
    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
