package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.objects.ConfigurationStore;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances that come and go, and stand side by side, on the event loops of one process. */
class BrokerProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int TIMES = 10;
    private static final long DAY_SECONDS = 86_400;
    /** Threads that the JVM or a library starts once, for the first caller. */
    private static final List<String> OF_THE_PROCESS = List.of(
            "io-",
            "memory",
            "configuration",
            "ForkJoinPool.commonPool",
            "CompletableFutureDelayScheduler",
            "background~resource~releaser",
            "awaitility");

    @TempDir
    private Path directory;

    private BrokerProcess process;

    @AfterEach
    void stop() {
        process.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "chronicle"})
    void shouldLoseNothingAndLeaveNothingWhenAnInstanceIsClosedAndOpenedAgain(String journal) throws Exception {
        // given
        ServerConfig config = config(journal);
        process = BrokerProcess.start(config);
        Path data = Files.createDirectories(directory.resolve("data"));
        ConfigurationStore objects = ConfigurationStore.open(directory.resolve("config"));
        Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();
        List<WeakReference<RunningBroker>> closed = new ArrayList<>();

        // when
        for (int time = 0; time < TIMES; time++) {
            closed.add(new WeakReference<>(useOnce(config, data, objects, time)));
            assertNothingIsLeft(data, threadsBefore);
        }

        // then: no timer, task, metric or listener holds any of them
        await().atMost(PATIENCE).until(() -> {
            System.gc();
            return closed.stream().allMatch(reference -> reference.refersTo(null));
        });
        objects.close();
    }

    /** A durable client gets what was published the time before while it was away, and again something now. */
    private RunningBroker useOnce(ServerConfig config, Path data, ConfigurationStore objects, int time)
            throws Exception {
        RunningBroker broker = process.open(new InstancePlan(config, data, true, failure -> {}));
        broker.attach(objects, true);
        try (SharedMember reader = SharedMember.connect(broker, "reader", DAY_SECONDS);
                SharedMember writer = SharedMember.connect(broker, "writer", DAY_SECONDS)) {
            if (time == 0) {
                reader.subscribe("news");
            } else {
                // The client may have gone before it acknowledged what came last: that comes again.
                await().atMost(PATIENCE).until(() -> reader.received.contains("away " + (time - 1)));
                assertThat(reader.received).isSubsetOf("here " + (time - 1), "away " + (time - 1));
            }
            writer.publish("news", "here " + time);
            await().atMost(PATIENCE).until(() -> reader.received.contains("here " + time));
            reader.disconnect();
            writer.publish("news", "away " + time);
            broker.close(); // with a client that is connected
        }
        return broker;
    }

    @Test
    void shouldKeepTwoInstancesApart() throws Exception {
        // given
        ServerConfig config = config("file");
        process = BrokerProcess.start(config);
        Path left = Files.createDirectories(directory.resolve("left"));
        Path right = Files.createDirectories(directory.resolve("right"));
        try (RunningBroker one = process.open(new InstancePlan(config, left, true, failure -> {}))) {
            RunningBroker other = process.open(new InstancePlan(config, right, true, failure -> {}));
            try (SharedMember ofOne = SharedMember.connect(one, "same", DAY_SECONDS);
                    SharedMember ofOther = SharedMember.connect(other, "same", DAY_SECONDS)) {
                ofOne.subscribe("news");
                ofOther.subscribe("news");

                // when
                ofOne.publish("news", "left");
                ofOther.publish("news", "right");

                // then
                ofOne.await("left");
                ofOther.await("right");

                // and when one ends, the other goes on
                other.close();
                ofOne.publish("news", "still left");
                ofOne.await("left", "still left");
            }
            try (RunningBroker again = process.open(new InstancePlan(config, right, true, failure -> {}));
                    SharedMember ofAgain = SharedMember.connect(again, "same", DAY_SECONDS)) {
                ofAgain.publish("news", "right again");
                ofAgain.await("right again");
            }
        }
    }

    private static void assertNothingIsLeft(Path data, Set<Thread> before) throws IOException {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(newThreads(before)).as("threads").isEmpty());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(openFiles(data)).as("files").isEmpty());
    }

    private static List<String> newThreads(Set<Thread> before) {
        Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
        now.removeAll(before);
        return now.stream()
                .map(Thread::getName)
                .filter(name -> OF_THE_PROCESS.stream().noneMatch(name::startsWith))
                .toList();
    }

    private static List<String> openFiles(Path data) throws IOException {
        List<String> open = new ArrayList<>();
        Predicate<String> isOfStore = name -> name.contains(data.toString());
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                if (Files.isSymbolicLink(descriptor)) {
                    open.add(Files.readSymbolicLink(descriptor).toString());
                }
            }
        }
        open.addAll(Files.readAllLines(Path.of("/proc/self/maps")));
        return open.stream().filter(isOfStore).toList();
    }

    private static ServerConfig config(String journal) throws Exception {
        return ConfigurationFile.parse("""
                {"ioThreads": 2,
                 "endpoints": [{"port": 0, "maxMessageSizeBytes": 65536}],
                 "store": {"mode": "sync", "journal": "%s", "segmentBytes": 1048576, "diskFreeMinBytes": 0}}
                """.formatted(journal));
    }
}
