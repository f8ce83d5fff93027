package dev.avocet.server.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.export.ConfigurationExport.Imported;
import dev.avocet.server.export.ConfigurationExport.Options;
import dev.avocet.server.objects.ChangeOrigin;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@InTurn
class ConfigurationExportTest {
    private static final ChangeOrigin ORIGIN = new ChangeOrigin("anna", "127.0.0.1", "import");
    private static final Options AS_IT_IS = new Options(false, false, false);

    @TempDir
    private Path directory;

    private ConfigurationStore here;
    private ConfigurationStore there;

    @BeforeEach
    void open() throws Exception {
        here = ConfigurationStore.open(directory.resolve("here/config"));
        there = ConfigurationStore.open(directory.resolve("there/config"));
        change(
                here,
                "{\"AdminUserPassword\": \"pencil\", \"Queue\": {\"orders\": {\"MaxMessages\": 7}}, \"Endpoint\":"
                        + " {\"mine\": {\"Port\": 1999, \"Interface\": \"127.0.0.1\", \"MessageHub\": \"DemoHub\", \"ConnectionPolicies\":"
                        + " \"DemoConnectionPolicy\", \"TopicPolicies\": \"DemoTopicPolicy\"}}}");
        change(there, "{\"Queue\": {\"orders\": {\"MaxMessages\": 8}, \"own\": {}}}");
        Files.createDirectories(directory.resolve("here/security"));
        Files.writeString(directory.resolve("here/security/server.key"), "a key");
        Files.createDirectories(directory.resolve("here/files"));
        Files.writeString(directory.resolve("here/files/ca.pem"), "uploaded");
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void shouldTakeObjectsPasswordsAndFilesToAnotherBroker() throws Exception {
        // when
        Imported imported = into(AS_IT_IS);

        // then
        assertThat(single(there).adminUserPassword().verifier())
                .startsWith("SCRAM-SHA-256$")
                .isEqualTo(single(here).adminUserPassword().verifier());
        assertThat(queue("orders").maxMessages()).isEqualTo(7);
        assertThat(queue("own").name()).isEqualTo("own");
        assertThat(endpoint().enabled()).isTrue();
        assertThat(single(there).serverUid()).isNotEqualTo(single(here).serverUid());
        assertThat(imported.files()).containsExactly("files/ca.pem", "security/server.key");
        Path key = directory.resolve("there/security/server.key");
        assertThat(key).hasContent("a key");
        assertThat(directory.resolve("there/files/ca.pem")).hasContent("uploaded");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        assertThat(into(AS_IT_IS).files()).isEmpty();
    }

    @Test
    void shouldLetEndpointsComeInDisabled() throws Exception {
        into(new Options(false, true, false));
        assertThat(endpoint().enabled()).isFalse();
    }

    @Test
    void shouldOnlySayWhatWouldHappen() throws Exception {
        Imported imported = into(new Options(true, false, false));
        assertThat(imported.after().find(Endpoint.class, "mine")).isPresent();
        assertThat(imported.files()).containsExactly("files/ca.pem", "security/server.key");
        assertThat(there.current().find(Endpoint.class, "mine")).isEmpty();
        assertThat(directory.resolve("there/security/server.key")).doesNotExist();
    }

    @Test
    void shouldOverwriteNoFileByItself() throws Exception {
        // given
        Files.createDirectories(directory.resolve("there/security"));
        Path key = Files.writeString(directory.resolve("there/security/server.key"), "another");

        // then
        assertThatThrownBy(() -> into(AS_IT_IS))
                .isInstanceOf(ExportException.class)
                .hasMessageContaining("server.key");
        assertThat(there.current().find(Endpoint.class, "mine")).isEmpty();
        into(new Options(false, false, true));
        assertThat(key).hasContent("a key");
    }

    @Test
    void shouldTakeNothingThatOnlyLooksLikeAnExport() {
        byte[] other = new SealedFile(new SecureRandom()).seal("{}".getBytes(UTF_8), "p");
        assertThatThrownBy(() -> there(other, "p")).isInstanceOf(ExportException.class);
    }

    @Test
    void shouldWriteNoFileOutsideOfItsFolder() throws Exception {
        byte[] evil = new SealedFile(new SecureRandom())
                .seal(new ExportContent(here.current(), Map.of("files/../evil", new byte[1])).encoded(), "p");
        assertThatThrownBy(() -> there(evil, "p"))
                .isInstanceOf(ExportException.class)
                .hasMessageContaining("files/../evil");
    }

    private Imported into(Options options) throws Exception {
        byte[] file = new ConfigurationExport(here, directory.resolve("here")).export("secret");
        return new ConfigurationExport(there, directory.resolve("there"))
                .take(file, "secret", options, ConfigurationStore.ANY_VERSION, ORIGIN);
    }

    private Imported there(byte[] file, String password) throws Exception {
        return new ConfigurationExport(there, directory.resolve("there"))
                .take(file, password, AS_IT_IS, ConfigurationStore.ANY_VERSION, ORIGIN);
    }

    private Queue queue(String name) {
        return there.current().find(Queue.class, name).orElseThrow();
    }

    private Endpoint endpoint() {
        return there.current().find(Endpoint.class, "mine").orElseThrow();
    }

    private static Singletons single(ConfigurationStore store) {
        return store.current().single(Singletons.class);
    }

    private static void change(ConfigurationStore store, String json) throws Exception {
        var unused = store.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }
}
