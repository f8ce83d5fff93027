package dev.avocet.server.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.ConfigurationTree;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.JsonTree;
import dev.avocet.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationStoreTest {
    private static final ChangeOrigin ADMIN = new ChangeOrigin("anna", "192.0.2.7", "change");

    @TempDir
    private Path data;

    @Test
    void shouldBeginWithTheDefaultConfigurationAndKeepIt() throws Exception {
        // when
        Configuration first;
        try (ConfigurationStore store = open()) {
            first = store.current();
        }

        // then
        assertThat(first.find(Endpoint.class, "DemoMqttEndpoint")).isPresent();
        assertThat(first.single(Singletons.class).serverUid()).hasSize(36);
        try (ConfigurationStore store = open()) {
            assertThat(store.current()).isEqualTo(first);
        }
    }

    @Test
    void shouldLetNobodyElseRead() throws Exception {
        // when
        open().close();

        // then
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("config"))))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldKeepChanges() throws Exception {
        // given
        Configuration changed;
        try (ConfigurationStore store = open()) {
            changed = store.apply(List.of(queue("orders", 7)), store.current().version());
        }

        // then
        assertThat(changed.version()).isEqualTo(2);
        try (ConfigurationStore store = open()) {
            assertThat(store.current()).isEqualTo(changed);
            assertThat(store.current().find(Queue.class, "orders"))
                    .map(Queue::maxMessages)
                    .contains(7);
        }
    }

    @Test
    void shouldTellListenersInOrderOnOneThread() throws Exception {
        // given
        List<String> told = new ArrayList<>();
        List<String> threads = new ArrayList<>();
        try (ConfigurationStore store = open()) {
            store.addListener((before, after) -> {
                told.add(before.version() + "-" + after.version());
                threads.add(Thread.currentThread().getName());
                throw new IllegalArgumentException("the test lets this fail");
            });

            // when
            for (int i = 0; i < 5; i++) {
                store.apply(List.of(queue("q" + i, 1)), ConfigurationStore.ANY_VERSION);
            }
        }

        // then
        assertThat(told).containsExactly("0-1", "1-2", "2-3", "3-4", "4-5", "5-6");
        assertThat(threads).containsOnly("configuration");
    }

    @Test
    void shouldNotLetListenersChangeTheConfiguration() throws Exception {
        // given
        List<Throwable> refusals = new ArrayList<>();
        try (ConfigurationStore store = open()) {
            store.addListener((before, after) -> refusals.add(catchThrowableOfType(
                    IllegalStateException.class, () -> store.apply(List.of(), ConfigurationStore.ANY_VERSION))));
        }

        // then
        assertThat(refusals).singleElement().asString().contains("cannot change the configuration itself");
    }

    @Test
    void shouldMakeNoVersionWhenNothingChanges() throws Exception {
        try (ConfigurationStore store = open()) {
            // given
            Map<String, Object> shown = ConfigurationTree.shown(store.current());

            // when
            Configuration same = store.apply(ChangeReader.read(shown), 1);

            // then
            assertThat(same.version()).isEqualTo(1);
            assertThat(store.versions()).containsExactly(1L);
        }
    }

    @Test
    void shouldRefuseAChangeOfWhatSomebodyElseHasChanged() throws Exception {
        try (ConfigurationStore store = open()) {
            // given
            store.apply(List.of(queue("one", 1)), 1);

            // when
            ConfigurationRefusedException refusal = catchThrowableOfType(
                    ConfigurationRefusedException.class, () -> store.apply(List.of(queue("two", 1)), 1));

            // then
            assertThat(refusal.problems()).singleElement().satisfies(problem -> {
                assertThat(problem.kind()).isEqualTo(Kind.STALE);
                assertThat(problem.message()).startsWith("the configuration is at version 2, not 1");
            });
            assertThat(store.current().find(Queue.class, "two")).isEmpty();
        }
    }

    @Test
    void shouldLoseNoChangeOfManyAtOnce() throws Exception {
        // given
        ExecutorService administrators = Executors.newFixedThreadPool(8);
        CountDownLatch start = new CountDownLatch(1);
        try (ConfigurationStore store = open()) {
            // when
            List<Future<Configuration>> changes = IntStream.range(0, 24)
                    .mapToObj(i -> administrators.submit(() -> {
                        start.await();
                        return store.apply(List.of(queue("q" + i, 1)), ConfigurationStore.ANY_VERSION);
                    }))
                    .toList();
            start.countDown();
            for (Future<Configuration> change : changes) {
                change.get();
            }

            // then
            assertThat(store.current().version()).isEqualTo(25);
            assertThat(store.current().all(Queue.class)).hasSize(24);
            assertThat(store.versions())
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, 25).mapToObj(Long::valueOf).toList());
        } finally {
            administrators.shutdownNow();
        }
    }

    @Test
    void shouldGoBack() throws Exception {
        try (ConfigurationStore store = open()) {
            // given
            store.apply(List.of(queue("orders", 1), password("first")), 1);
            store.apply(List.of(queue("orders", 2), queue("bills", 1), password("second")), 2);
            String verifier =
                    store.current().single(Singletons.class).adminUserPassword().verifier();

            // when
            Configuration back = store.rollBack(2, 3, Set.of(), ADMIN).after();

            // then
            assertThat(back.version()).isEqualTo(4);
            assertThat(back.find(Queue.class, "orders")).map(Queue::maxMessages).contains(1);
            assertThat(back.find(Queue.class, "bills")).isEmpty();
            assertThat(back.single(Singletons.class).adminUserPassword().verifier())
                    .as("passwords stay")
                    .isEqualTo(verifier);
            assertThatThrownBy(() -> store.rollBack(77, 4, Set.of(), ADMIN))
                    .hasMessageContaining("there is no version 77");
            assertThatThrownBy(() -> store.rollBack(1, 3, Set.of(), ADMIN))
                    .hasMessageContaining("is at version 4, not 3");
        }
    }

    @Test
    void shouldGoBackNoFurtherThanWhatRunsAllows() throws Exception {
        try (ConfigurationStore store = open()) {
            // given
            store.apply(List.of(queue("orders", 1)), 1);
            store.liveUse(key -> LiveUse.Use.MESSAGES);

            // then
            assertThatThrownBy(() -> store.rollBack(1, 2, Set.of(), ADMIN))
                    .hasMessageContaining("still holds messages");
            assertThat(store.rollBack(1, 2, Set.of(DeleteOption.DISCARD_MESSAGES), ADMIN)
                            .after()
                            .pendingDeletes())
                    .as("goes as soon as its messages are gone")
                    .containsExactly(ObjectTypes.of(Queue.class).keyOf("orders"));
        }
    }

    @Test
    void shouldGoBackOnlyAsAWholeAndNameEveryProblem() throws Exception {
        try (ConfigurationStore store = open()) {
            // given
            store.apply(List.of(queue("orders", 1), queue("bills", 1)), 1);
            store.liveUse(key -> LiveUse.Use.MESSAGES);

            // when
            ConfigurationRefusedException refusal = catchThrowableOfType(
                    ConfigurationRefusedException.class, () -> store.rollBack(1, 2, Set.of(), ADMIN));

            // then
            assertThat(refusal.problems())
                    .extracting(ConfigurationProblem::object)
                    .containsExactlyInAnyOrder("Queue 'orders'", "Queue 'bills'");
            assertThat(store.current().version()).isEqualTo(2);
        }
    }

    @Test
    void shouldKnowWhoMadeEachVersionAfterARestart() throws Exception {
        // given
        ManualClock clock = new ManualClock();
        Path directory = data.resolve("config");
        try (ConfigurationStore store = ConfigurationStore.open(new DiskStorage(), clock, directory)) {
            store.make(List.of(queue("orders", 1), password("correct horse")), 1, ADMIN);
            store.rollBack(1, 2, Set.of(), new ChangeOrigin("bert", "192.0.2.8", "rollback to version 1"));
        }

        // when
        List<VersionNote> history;
        try (ConfigurationStore store = open()) {
            history = store.history();
        }

        // then
        assertThat(history).extracting(VersionNote::version).containsExactly(3L, 2L, 1L);
        assertThat(history.get(0).origin()).isEqualTo(new ChangeOrigin("bert", "192.0.2.8", "rollback to version 1"));
        assertThat(history.get(0).changes()).containsExactly("deleted Queue 'orders'");
        assertThat(history.get(1).time()).isEqualTo(Instant.ofEpochMilli(1_700_000_000_000L));
        assertThat(history.get(1).origin()).isEqualTo(ADMIN);
        assertThat(history.get(1).changes())
                .containsExactlyInAnyOrder("created Queue 'orders'", "changed Singletons: AdminUserPassword");
        assertThat(history.get(2).origin()).isEqualTo(ChangeOrigin.ofBroker("first start"));
        assertThat(Files.readString(directory.resolve("change-2.json"))).doesNotContain("horse", "SCRAM");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void shouldKeepAsManyVersionsAsConfigured() throws Exception {
        try (ConfigurationStore store = open()) {
            // when
            store.apply(ChangeReader.read(Map.of("MaxConfigurationVersions", 3L)), 1);
            for (int i = 2; i < 8; i++) {
                store.apply(List.of(queue("orders", i)), i);
            }

            // then
            assertThat(store.versions()).containsExactly(6L, 7L, 8L);
            assertThat(data.resolve("config/change-8.json")).exists();
            assertThat(data.resolve("config/change-5.json")).doesNotExist();
            assertThatThrownBy(() -> store.version(5))
                    .hasMessageContaining("there is no version 5 of the configuration any more; there are 6 to 8");
        }
    }

    @Test
    void shouldGoOnWithADamagedHistory() throws Exception {
        // given
        try (ConfigurationStore store = open()) {
            store.make(List.of(queue("orders", 1)), 1, ADMIN);
            store.make(List.of(queue("orders", 2)), 2, ADMIN);
            store.make(List.of(queue("orders", 3)), 3, ADMIN);
        }
        Files.writeString(data.resolve("config/change-1.json"), "{\"Format\": 1, \"Vers");
        Files.writeString(data.resolve("config/change-2.json"), "{\"Format\": 2}");
        Files.delete(data.resolve("config/change-3.json"));
        Files.writeString(data.resolve("config/change-4.json"), "{\"Format\": 1, \"Version\": 4, \"Time\": \"today\"}");
        Files.writeString(file(2), "{\"Version\": 2, \"Queue\": ");

        // when
        try (ConfigurationStore store = open()) {
            // then
            assertThat(store.current().version()).isEqualTo(4);
            assertThat(store.history())
                    .hasSize(4)
                    .allSatisfy(note -> assertThat(note.origin()).isNull());
            assertThatThrownBy(() -> store.rollBack(2, 4, Set.of(), ADMIN))
                    .isInstanceOf(ConfigurationRefusedException.class)
                    .hasMessageContaining("version 2 of the configuration is damaged");
            assertThat(store.rollBack(3, 4, Set.of(), ADMIN).after().version()).isEqualTo(5);
        }
    }

    @Test
    void shouldKeepPasswordsAsVerifiersOnly() throws Exception {
        try (ConfigurationStore store = open()) {
            // when
            Configuration changed = store.apply(List.of(password("correct horse")), 1);

            // then
            String verifier =
                    changed.single(Singletons.class).adminUserPassword().verifier();
            assertThat(PasswordVerifier.parse(verifier).verifyPassword("correct horse".toCharArray()))
                    .isTrue();
            assertThat(PasswordVerifier.parse(verifier).verifyPassword("wrong horse".toCharArray()))
                    .isFalse();
            assertThat(Files.readString(file(2)))
                    .doesNotContain("correct horse")
                    .contains(verifier);
            assertThat(JsonText.of(ConfigurationTree.shown(changed)))
                    .doesNotContain("SCRAM")
                    .contains("\"AdminUserPassword\" : \"********\"");
            assertThatThrownBy(() -> store.apply(List.of(password("\u06DDbad")), 2))
                    .hasMessageContaining("AdminUserPassword: cannot be used as a password");
        }
        try (ConfigurationStore store = open()) {
            assertThat(store.current()
                            .single(Singletons.class)
                            .adminUserPassword()
                            .verifier())
                    .startsWith("SCRAM-SHA-256$15000:");
        }
    }

    @Test
    void shouldSayWhichFileIsDamaged() throws Exception {
        // given
        open().close();
        Files.writeString(file(1), "{\"Version\": 1, \"Endpoint\": {\"x\": {\"Prot\": 1}}}");

        // then
        assertThatThrownBy(this::open)
                .isInstanceOf(ConfigurationStoreException.class)
                .hasMessageContaining("objects-1.json cannot be used: ")
                .hasMessageContaining("Endpoint 'x': Prot: is not a property of Endpoint")
                .hasMessageContaining("remove it to start with the version before it");

        // given
        Files.writeString(file(1), "{\"Version\": 2}");

        // then
        assertThatThrownBy(this::open).hasMessageContaining("says that it is version 2");

        // given
        Files.writeString(file(1), "{\"Version\": ");

        // then
        assertThatThrownBy(this::open).hasMessageContaining("not valid JSON");
    }

    @Test
    void shouldRefuseChangesOnceClosed() throws Exception {
        // given
        ConfigurationStore store = open();
        store.close();

        // then
        assertThatThrownBy(() -> store.apply(List.of(queue("q", 1)), 1)).hasMessage("the broker is stopping");
        assertThat(store.current().version()).isEqualTo(1);
    }

    @Test
    void shouldWriteJsonThatCanBeRead() throws IOException, ConfigurationException {
        // given
        Map<String, Object> tree = Map.of("a", List.of("b\"\n", true, Map.of()), "c", "ü");

        // then
        assertThat(JsonTree.parse("test", JsonText.of(tree))).isEqualTo(tree);
    }

    private ConfigurationStore open() throws ConfigurationStoreException {
        return ConfigurationStore.open(data.resolve("config"));
    }

    private Path file(long version) {
        return data.resolve("config").resolve("objects-" + version + ".json");
    }

    static ConfigurationChange queue(String name, int maxMessages) {
        return ConfigurationChange.put(ObjectTypes.of(Queue.class).keyOf(name), Map.of("MaxMessages", maxMessages));
    }

    private static ConfigurationChange password(String password) {
        return ConfigurationChange.put(
                ObjectTypes.of(Singletons.class).keyOf(""), Map.of("AdminUserPassword", password));
    }
}
