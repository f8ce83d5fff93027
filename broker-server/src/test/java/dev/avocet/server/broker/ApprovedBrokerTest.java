package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole broker with {@code security.fips}, in a runtime that seems to have a validated provider, or has none. */
@InTurn
class ApprovedBrokerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int GRANTED = 0;
    private static final int BAD_USER_NAME_OR_PASSWORD = 4;
    private static final String CONFIGURATION = """
            {"store": {"mode": "memory"},
             "security": {"userFile": true, "allowAnonymous": "never", "fips": true},
             "endpoints": [{"port": 0, "tls": {"certificate": "server.pem", "key": "server.key"}}]}""";

    private final Provider provider = new Validated();
    private final TestAuthority authority = new TestAuthority("Test CA");

    @TempDir
    private Path data;

    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectories(data.resolve("security"));
        writeServer(authority.issue("localhost"));
    }

    @AfterEach
    void removeProvider() {
        Security.removeProvider(provider.getName());
    }

    @Test
    void shouldNotStartWithoutAValidatedProvider() {
        assertThatThrownBy(() -> start(CONFIGURATION))
                .isInstanceOf(CannotSecureException.class)
                .hasMessageStartingWith("security.fips: the first security provider of this Java runtime is ")
                .hasMessageContaining("not validated by FIPS 140");
    }

    @Test
    void shouldKnowUsersByTheirScramVerifiersAlone() throws Exception {
        // given: users of a broker without FIPS, one of them kept by Argon2id alone
        UserDirectory before = UserDirectory.open(usersFile(), CheapHasher.create(), new SecureRandom());
        before.addUser("old", "chalk".toCharArray(), List.of());
        String hashAlone = Files.readString(usersFile()).replaceAll("(?s),\\s*\"scram\" : \\{[^}]*\\}", "");
        Files.writeString(usersFile(), hashAlone);
        before = UserDirectory.open(usersFile(), CheapHasher.create(), new SecureRandom());
        before.addUser("anna", "pencil".toCharArray(), List.of());
        Security.insertProviderAt(provider, 1);

        try (RunningBroker broker = start(CONFIGURATION)) {
            // then
            assertThat(broker.fips()).isTrue();
            assertThat(login(broker, "anna", "pencil")).isEqualTo(GRANTED);
            assertThat(login(broker, "anna", "pen")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
            assertThat(login(broker, "old", "chalk")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
            assertThat(login(broker, "nobody", "chalk")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);

            // when: the user gets a new password
            Objects.requireNonNull(broker.users()).directory().changePassword("old", "brush".toCharArray());

            // then
            assertThat(login(broker, "old", "brush")).isEqualTo(GRANTED);
            assertThat(Files.readString(usersFile()))
                    .containsOnlyOnce("$argon2id$")
                    .contains("\"iterations\" : 100000");
        }

        // and a broker without FIPS goes on with both
        Security.removeProvider(provider.getName());
        try (RunningBroker broker = start(CONFIGURATION.replace("\"fips\": true", "\"fips\": false"))) {
            assertThat(login(broker, "anna", "pencil")).isEqualTo(GRANTED);
            assertThat(login(broker, "old", "brush")).isEqualTo(GRANTED);
        }
    }

    @Test
    void shouldSpeakApprovedCipherSuitesAlone() throws Exception {
        Security.insertProviderAt(provider, 1);
        try (RunningBroker broker = start(CONFIGURATION)) {
            assertThat(suite(broker, "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"))
                    .isEqualTo("TLS_AES_256_GCM_SHA384");
            for (String other : List.of("TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256")) {
                assertThatThrownBy(() -> suite(broker, other)).isInstanceOf(SSLException.class);
            }
        }
    }

    private String suite(RunningBroker broker, String... offered) throws IOException {
        try (SSLSocket socket = open(broker)) {
            socket.setEnabledCipherSuites(offered);
            socket.startHandshake();
            return socket.getSession().getCipherSuite();
        }
    }

    private Path usersFile() {
        return folder.resolve("users.json");
    }

    private void writeServer(Issued server) {
        server.writeCertificate(folder.resolve("server.pem"));
        server.writeKey(folder.resolve("server.key"));
    }

    private RunningBroker start(String configuration)
            throws ConfigurationException, CannotListenException, CannotOpenStoreException, CannotSecureException {
        return OneBroker.start(ConfigurationFile.parse(configuration), data, new DiskStorage(), failure -> {});
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

    /** Says that it is one, and leaves the work to those behind it. */
    private static final class Validated extends Provider {
        private static final long serialVersionUID = 1L;

        Validated() {
            super("OpenJCEPlusFIPS", "1", "of a test");
        }
    }
}
