package dev.avocet.server.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.tls.ticket.SharedTickets;
import dev.avocet.core.tls.ticket.TicketKey;
import dev.avocet.core.tls.ticket.TicketKeys;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ChangeOrigin;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.testkit.LivingFiles;
import dev.avocet.testkit.ManualClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationCopyTest {
    private static final ChangeOrigin ORIGIN = ChangeOrigin.ofBroker("test");
    private static final Duration INTERVAL = Duration.ofMinutes(60);

    @TempDir
    private Path directory;

    private final SharedTickets given = new SharedTickets();
    private final SharedTickets taken = new SharedTickets();
    private final ManualClock clock = new ManualClock();
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

    @Test
    void shouldGiveTheKeysOfSessionTicketsAndWriteThemNowhere() throws Exception {
        // given
        TicketKeys keys = given.open("orders", INTERVAL, clock);
        clock.advance(INTERVAL);
        List<TicketKey> both = keys.current();
        assertThat(both).hasSize(2);

        // when
        copy();

        // then the standby goes on with both, sealing with the same
        List<TicketKey> there = taken.open("orders", INTERVAL, clock).current();
        assertThat(encoded(there)).isEqualTo(encoded(both));
        assertThat(LivingFiles.below(directory))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .doesNotContain("TicketKeys")
                        .doesNotContain(encoded(both)));

        // and the copy is the same as long as the keys are
        byte[] copied = new ConfigurationCopy(active, directory.resolve("active"), given).take();
        assertThat(new ConfigurationCopy(active, directory.resolve("active"), given).take())
                .isEqualTo(copied);
    }

    @Test
    void shouldAdoptTheCopyOfABuildThatGivesNoKeysOrOthers() throws Exception {
        change(active, "{\"Queue\": {\"orders\": {}}}");
        for (String keys :
                List.of("", "\"TicketKeys\": 7,", "\"TicketKeys\": {\"e\": {\"Made\": 1, \"Keys\": [\"AA\"]}},")) {
            byte[] copied = new ConfigurationCopy(active, directory.resolve("active"), new SharedTickets()).take();

            new ConfigurationCopy(standby, directory.resolve("standby"), taken).adopt(with(keys, copied), ORIGIN);

            assertThat(standby.current().find(Queue.class, "orders")).as(keys).isPresent();
            assertThat(taken.open("e", INTERVAL, clock).current()).hasSize(1);
        }
    }

    /** The copy with a member more. */
    private static byte[] with(String member, byte[] copied) throws IOException {
        String json = new String(
                new GZIPInputStream(new ByteArrayInputStream(copied)).readAllBytes(), StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(json.replaceFirst("\\{", "{" + member).getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static List<String> encoded(List<TicketKey> keys) {
        return keys.stream()
                .flatMap(key -> Stream.of(key.name(), key.authentication(), key.encryption()))
                .map(part -> Base64.getEncoder().encodeToString(part))
                .toList();
    }

    private void copy() throws Exception {
        byte[] copied = new ConfigurationCopy(active, directory.resolve("active"), given).take();
        new ConfigurationCopy(standby, directory.resolve("standby"), taken).adopt(copied, ORIGIN);
    }

    private static void change(ConfigurationStore objects, String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }
}
