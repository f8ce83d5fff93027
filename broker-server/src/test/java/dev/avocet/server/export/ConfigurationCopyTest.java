package dev.avocet.server.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.object.AdminEndpoint;
import dev.avocet.core.config.object.Endpoint;
import dev.avocet.core.config.object.Queue;
import dev.avocet.core.config.object.Singletons;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ChangeOrigin;
import dev.avocet.server.objects.ConfigurationStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationCopyTest {
    private static final ChangeOrigin ORIGIN = ChangeOrigin.ofBroker("test");

    @TempDir
    private Path directory;

    private ConfigurationStore active;
    private ConfigurationStore standby;

    @BeforeEach
    void openBoth() throws Exception {
        active = ConfigurationStore.open(directory.resolve("active/config"));
        standby = ConfigurationStore.open(directory.resolve("standby/config"));
    }

    @AfterEach
    void closeBoth() {
        active.close();
        standby.close();
    }

    @Test
    void shouldCopyObjectsWithSecretsAndFiles() throws Exception {
        // given
        change(active, "{\"AdminUserPassword\": \"a password\", \"Queue\": {\"orders\": {\"MaxMessages\": 10}}}");
        change(standby, "{\"Queue\": {\"old\": {}}}");
        Path users = directory.resolve("active/security/users.json");
        Files.createDirectories(users.getParent());
        Files.writeString(users, "{}");

        // when
        copy();

        // then
        assertThat(standby.current().find(Queue.class, "orders")).isPresent();
        assertThat(standby.current().find(Queue.class, "old")).isEmpty();
        assertThat(standby.current().single(Singletons.class).adminUserPassword())
                .isEqualTo(active.current().single(Singletons.class).adminUserPassword());
        assertThat(directory.resolve("standby/security/users.json")).hasContent("{}");

        // and what is copied again changes nothing
        long version = standby.current().version();
        copy();
        assertThat(standby.current().version()).isEqualTo(version);
    }

    @Test
    void shouldLeaveToANodeWhatIsItsOwn() throws Exception {
        // given
        change(active, "{\"ServerName\": \"one\", \"AdminEndpoint\": {\"Port\": 9001}}");
        change(
                standby,
                "{\"ServerName\": \"two\", \"AdminEndpoint\": {\"Port\": 9002},"
                        + " \"Endpoint\": {\"DemoMqttEndpoint\": {\"Interface\": \"127.0.0.2\"}}}");
        String uid = standby.current().single(Singletons.class).serverUid();

        // when
        copy();

        // then
        assertThat(standby.current().single(Singletons.class).serverName()).isEqualTo("two");
        assertThat(standby.current().single(Singletons.class).serverUid()).isEqualTo(uid);
        assertThat(standby.current().single(AdminEndpoint.class).port()).isEqualTo(9_002);
        assertThat(standby.current()
                        .find(Endpoint.class, "DemoMqttEndpoint")
                        .orElseThrow()
                        .address())
                .isEqualTo("127.0.0.2");
    }

    private void copy() throws Exception {
        byte[] copied = new ConfigurationCopy(active, directory.resolve("active")).take();
        new ConfigurationCopy(standby, directory.resolve("standby")).adopt(copied, ORIGIN);
    }

    private static void change(ConfigurationStore objects, String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }
}
