package dev.avocet.mqtt.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
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
import dev.avocet.core.tls.psk.PskOptions;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.testkit.InstalledPrograms;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of others that connect with a pre-shared key. */
class PreSharedKeysTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Test CA");
    private static final String KEY = "00112233445566778899aabbccddeeff";
    private static final int PATIENCE_SECONDS = 40;

    @TempDir
    private Path directory;

    private final Queue<String> users = new ConcurrentLinkedQueue<>();
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
    @CsvSource({
        "tlsv1.3,",
        "tlsv1.2,ECDHE-PSK-AES256-CBC-SHA384",
        "tlsv1.2,PSK-AES256-GCM-SHA384",
        "tlsv1.2,PSK-AES256-CBC-SHA"
    })
    void shouldServeMosquitto(String version, @Nullable String cipher) throws Exception {
        start(CipherClass.FAST, TlsVersion.TLS_1_2);
        List<String> arguments = new ArrayList<>(List.of("--tls-version", version));
        if (cipher != null) {
            arguments.addAll(List.of("--ciphers", cipher));
        }

        assertThat(mosquitto("meter-1", KEY, arguments)).isZero();

        assertThat(users).containsExactly("meter-1");
    }

    @ParameterizedTest
    @CsvSource({"meter-1,00", "meter-2,00112233445566778899aabbccddeeff"})
    void shouldTellNothingAboutIdentities(String identity, String key) throws Exception {
        start(CipherClass.FAST, TlsVersion.TLS_1_2);

        assertThat(alert(identity, key, "-tls1_2")).isEqualTo("alert bad record mac");
        assertThat(alert(identity, key, "-tls1_3")).isEqualTo("alert decrypt error");

        assertThat(users).isEmpty();
        broker.awaitCount(Counter.TLS_HANDSHAKE_FAILURES, 2);
    }

    @Test
    void shouldTakeOnlySuitesOfTheClass() throws Exception {
        start(CipherClass.MEDIUM, TlsVersion.TLS_1_2);

        assertThat(alert("meter-1", KEY, "-tls1_2", "-cipher", "PSK-AES256-CBC-SHA"))
                .isEqualTo("alert handshake failure");
        assertThat(mosquitto("meter-1", KEY, List.of())).isZero();
    }

    @Test
    void shouldReadTheFileAgain() throws Exception {
        // given
        start(CipherClass.MEDIUM, TlsVersion.TLS_1_3);
        assertThat(mosquitto("meter-1", KEY, List.of())).isZero();

        // when
        Files.writeString(
                directory.resolve("keys.csv"), "meter-8,00112233\nmeter-8,\nmeter-7,\nmeter-9,abcdef0123456789\n");
        tls.reload();

        // then
        assertThat(mosquitto("meter-1", KEY, List.of())).isNotZero();
        assertThat(mosquitto("meter-8", "00112233", List.of()))
                .as("its key was taken away")
                .isNotZero();
        assertThat(mosquitto("meter-9", "abcdef0123456789", List.of())).isZero();
    }

    @Test
    void shouldRefuseWhoHasNoKey() throws Exception {
        start(CipherClass.MEDIUM, TlsVersion.TLS_1_2);

        try (SSLSocket socket = (SSLSocket)
                AUTHORITY.clientContext(null, "TLSv1.3").getSocketFactory().createSocket("127.0.0.1", broker.port())) {
            assertThatThrownBy(socket::startHandshake)
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("handshake_failure");
        }
    }

    @Test
    void shouldTakeAFirstRecordInPieces() throws Exception {
        start(CipherClass.MEDIUM, TlsVersion.TLS_1_2);

        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            socket.getOutputStream().write(new byte[] {0x16, 3, 1});
            broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
            socket.getOutputStream().write(new byte[] {0, 4, 1, 0, 0, 0});

            assertThat(socket.getInputStream().read()).as("an alert").isEqualTo(0x15);
        }
        broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "meter-1|line 1: a line is IDENTITY,KEY",
                "meter-1,0g|line 1: a key is hexadecimal digits",
                "meter-1,00|line 1: a key has 4 to 256 bytes",
                ",0011|line 1: a line is IDENTITY,KEY"
            })
    void shouldSayWhatIsWrongWithTheFile(String text, String problem) throws IOException {
        Path file = Files.writeString(directory.resolve("bad.csv"), text);

        assertThatThrownBy(() -> TlsContext.load(
                        "test",
                        options(CipherClass.MEDIUM, TlsVersion.TLS_1_2).withPreSharedKeys(new PskOptions(file, true)),
                        new SystemClock()))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("bad.csv, " + problem)
                .hasMessageNotContaining("0g");
    }

    private TlsOptions options(CipherClass ciphers, TlsVersion version) {
        Issued server = AUTHORITY.issue("localhost");
        KeySource key = new KeySource.Pem(
                server.writeCertificate(directory.resolve("server.pem")),
                server.writeKey(directory.resolve("server.key")),
                null);
        return new TlsOptions(
                key, ClientTrust.NONE, version, ciphers, false, ClientCertificates.NONE, TlsLibrary.BEST, 5_000, 1_000);
    }

    private void start(CipherClass ciphers, TlsVersion version) throws Exception {
        Path file = Files.writeString(directory.resolve("keys.csv"), "# meters\n\nmeter-1," + KEY + "\n");
        tls = TlsContext.load(
                "test", options(ciphers, version).withPreSharedKeys(new PskOptions(file, true)), new SystemClock());
        CertificateAuthenticator proven = new CertificateAuthenticator(
                new CertificateUse(true, false, false), new InMemoryUsers(Map.of()), new AnonymousAuthenticator());
        broker = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT, new Noting(proven)))
                .tls(tls)
                .start();
    }

    /** Notes who was let in. */
    private final class Noting implements Authenticator {
        private final Authenticator proven;

        Noting(Authenticator proven) {
            this.proven = proven;
        }

        @Override
        public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
            proven.authenticate(request, loop, result -> {
                if (result instanceof LoginResult.Granted granted) {
                    users.add(String.valueOf(granted.identity().userName()));
                }
                answer.accept(result);
            });
        }

        @Override
        public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
            return null;
        }
    }

    private int mosquitto(String identity, String key, List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                InstalledPrograms.onPath("mosquitto_pub"),
                "-h",
                "127.0.0.1",
                "-p",
                String.valueOf(broker.port()),
                "--psk-identity",
                identity,
                "--psk",
                key,
                "-q",
                "1",
                "-t",
                "t",
                "-m",
                "hello"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** What openssl says that the broker has sent. */
    private String alert(String identity, String key, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                InstalledPrograms.onPath("openssl"),
                "s_client",
                "-connect",
                "127.0.0.1:" + broker.port(),
                "-psk_identity",
                identity,
                "-psk",
                key));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return output.lines()
                .flatMap(line -> java.util.regex.Pattern.compile("(ssl/tls |sslv3 |tlsv1 |:)?(alert [a-z ]+)")
                        .matcher(line)
                        .results()
                        .map(found -> found.group(2)))
                .findFirst()
                .orElse(output);
    }
}
