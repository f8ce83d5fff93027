package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.users.UserDirectory;
import dev.avocet.testkit.CheapHasher;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole broker with TLS and users in a file, as a configuration asks for them. */
class SecurityWiringTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int GRANTED = 0;
    private static final int BAD_USER_NAME_OR_PASSWORD = 4;
    private static final String CONFIGURATION = """
            {"store": {"mode": "memory"},
             "security": {"userFile": true, "allowAnonymous": "never"},
             "endpoints": [{"port": 0, "tls": {"certificate": "server.pem", "key": "server.key"}}]}""";

    private final TestAuthority authority = new TestAuthority("Test CA");

    @TempDir
    private Path data;

    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectories(data.resolve("security"));
    }

    @Test
    void shouldLetInWhoHasThePasswordOfTheUserFile() throws Exception {
        writeServer(authority.issue("localhost"));
        UserDirectory users = users();
        users.addUser("anna", "pencil".toCharArray(), List.of());

        try (RunningBroker broker = start(CONFIGURATION)) {
            assertThat(login(broker, "anna", "pencil")).isEqualTo(GRANTED);
            assertThat(login(broker, "anna", "pen")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);

            // when another process changes the file
            users.addUser("bert", "brush".toCharArray(), List.of());

            await().atMost(PATIENCE).until(() -> login(broker, "bert", "brush") == GRANTED);
        }
    }

    @Test
    void shouldTakeANewCertificateByItselfAndTellWhenItExpires() throws Exception {
        Issued server = authority.issue("localhost");
        writeServer(server);

        try (RunningBroker broker = start(CONFIGURATION)) {
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            broker.meters().forEach(binder -> binder.bindTo(meters));
            assertThat(expirySeconds(meters)).isEqualTo((double)
                    server.certificate().getNotAfter().toInstant().getEpochSecond());

            // when
            writeServer(authority.issue("renewed"));

            // then
            await().atMost(PATIENCE).until(() -> subject(broker), subject -> subject.contains("renewed"));
        }
    }

    @Test
    void shouldSayWhichCertificateIsMissing() {
        assertThatThrownBy(() -> start(CONFIGURATION))
                .isInstanceOf(CannotSecureException.class)
                .hasMessageContaining("endpoint 'default'")
                .hasMessageContaining("server.key");
    }

    @Test
    void shouldSayWhatIsWrongWithTheUserFile() throws IOException {
        writeServer(authority.issue("localhost"));
        Files.writeString(folder.resolve("users.json"), "{\"version\": 1, \"users\": [{\"name\": \"x\"}]}");

        assertThatThrownBy(() -> start(CONFIGURATION))
                .isInstanceOf(CannotSecureException.class)
                .hasMessageContaining("users.json: user 'x': password must be there");
    }

    private UserDirectory users() throws Exception {
        SecureRandom random = new SecureRandom();
        return UserDirectory.open(folder.resolve("users.json"), CheapHasher.create(), random);
    }

    private void writeServer(Issued server) {
        server.writeCertificate(folder.resolve("server.pem"));
        server.writeKey(folder.resolve("server.key"));
    }

    private RunningBroker start(String configuration)
            throws ConfigurationException, CannotListenException, CannotOpenStoreException, CannotSecureException {
        return OneBroker.start(ConfigurationFile.parse(configuration), data, new DiskStorage(), failure -> {});
    }

    private static double expirySeconds(SimpleMeterRegistry meters) {
        return meters.get("avocet.tls.certificate.expiry.seconds")
                .tag("endpoint", "default")
                .gauge()
                .value();
    }

    private String subject(RunningBroker broker) throws IOException {
        try (SSLSocket socket = open(broker)) {
            socket.startHandshake();
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    /** The return code of CONNACK. */
    private int login(RunningBroker broker, String userName, String password) throws IOException {
        try (SSLSocket socket = open(broker)) {
            byte[] name = userName.getBytes(StandardCharsets.UTF_8);
            byte[] secret = password.getBytes(StandardCharsets.UTF_8);
            ByteBuffer packet = ByteBuffer.allocate(19 + name.length + secret.length)
                    .put(new byte[] {0x10, (byte) (17 + name.length + secret.length), 0, 4, 'M', 'Q', 'T', 'T', 4})
                    .put(new byte[] {(byte) 0xC2, 0, 0, 0, 1, 'c'})
                    .putShort((short) name.length)
                    .put(name)
                    .putShort((short) secret.length)
                    .put(secret);
            socket.getOutputStream().write(packet.array());
            return socket.getInputStream().readNBytes(4)[3];
        }
    }

    private SSLSocket open(RunningBroker broker) throws IOException {
        SSLSocket socket = (SSLSocket) authority
                .clientContext(null, "TLSv1.3")
                .getSocketFactory()
                .createSocket("127.0.0.1", broker.endpoints().get(0).getPort());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }
}
