package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Queue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SecurityTest {
    private Path directory;

    private EmbeddedServer server;

    @BeforeAll
    void start(@TempDir final Path files) throws Exception {
        directory = files;
        keytool("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=server", "-ext", "san=dns:localhost");
        keytool("-exportcert", "-alias", "server", "-rfc", "-file", path("server.pem"));
        server = new EmbeddedServer(directory, FreePort.next())
                .acceptorOptions(";sslEnabled=true;keyStorePath=" + path("server.p12")
                        + ";keyStorePassword=secret;keyStoreType=PKCS12")
                .login("user", "right")
                .start();
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    private String path(final String file) {
        return directory.resolve(file).toString();
    }

    private void keytool(final String... arguments) throws IOException, InterruptedException {
        final List<String> command = Stream.concat(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString()),
                        Stream.concat(
                                Stream.of(arguments),
                                Stream.of("-keystore", path("server.p12"), "-storepass", "secret")))
                .toList();
        final Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        assertThat(process.waitFor()).isZero();
    }

    private AvocetConnectionFactory factory(final String host, final String options) {
        return new AvocetConnectionFactory(
                "avocets://" + host + ":" + server.port() + "?username=user&password=right&" + options);
    }

    private static void shouldWork(final AvocetConnectionFactory factory) {
        try (JMSContext context = factory.createContext()) {
            final Queue queue = context.createQueue("queue");
            context.createProducer().send(queue, "secret");
            assertThat(context.createConsumer(queue).receiveBody(String.class, 30_000))
                    .isEqualTo("secret");
        }
    }

    @Test
    void shouldTrustACertificateFromAPemFile() {
        shouldWork(factory("localhost", "trustCertificates=" + path("server.pem")));
    }

    @Test
    void shouldTrustAKeyStore() {
        shouldWork(factory("localhost", "trustStore=" + path("server.p12") + "&trustStorePassword=secret"));
    }

    @Test
    void shouldRefuseACertificateOfAnotherHostUnlessToldOtherwise() {
        final String trusted = "trustCertificates=" + path("server.pem");
        assertThatThrownBy(() -> factory("127.0.0.1", trusted).createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("127.0.0.1");
        shouldWork(factory("127.0.0.1", trusted + "&verifyHost=false"));
    }

    @Test
    void shouldRefuseACertificateThatIsNotTrusted() {
        assertThatThrownBy(() -> factory("localhost", "").createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("TLS");
    }

    @Test
    void shouldSayThatTheLoginIsRefused() {
        final AvocetConnectionFactory factory = factory("localhost", "trustCertificates=" + path("server.pem"));

        assertThatThrownBy(() -> factory.createConnection("user", "wrong")).isInstanceOf(JMSSecurityException.class);
        assertThatThrownBy(() -> factory.createContext("user", "wrong"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
    }

    @Test
    void shouldAskForAFreshPassword() {
        final AvocetConnectionFactory factory =
                factory("localhost", "password=stale&trustCertificates=" + path("server.pem"));
        factory.setPasswordSupplier(() -> "right");

        shouldWork(factory);
    }
}
