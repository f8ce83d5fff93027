package dev.avocet.dist.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import dev.avocet.testkit.LivingFiles;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Far more waits for clients that are away than fits into the broker's memory; then they come and take it. Each gets
 * every message once and in order, and the disk gets its room back.
 */
@InTurn
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class BacklogTest {
    private static final int CLIENTS = 10;
    private static final int PUBLISHERS = 2;
    private static final int PAYLOAD_BYTES = 256;
    /** Few messages, which fill as much as many. */
    private static final int LARGE_BYTES = 1024;
    /** So many messages for so many subscriptions: references that take more than a heap of 48 MB. */
    private static final int FOR_ALL = 250_000;

    private static final int AWAY = 12;
    private static final int MORE = 100;
    private static final int SMALL_BYTES = 64;

    private static final int DEADLINE_SECONDS = 120;
    private static final String CONFIGURATION = """
            {
              "ioThreads": %d,
              "limits": {"maxMessages": 20000000},
              "mqtt": {"legacySessionExpirySeconds": 86400},
              "store": {"mode": "sync", "journal": "chronicle", "segmentBytes": %d, "checkpointIntervalSeconds": %d}
            }
            """;
    private static final String[] TOPICS =
            IntStream.range(0, CLIENTS).mapToObj(i -> "backlog/" + i).toArray(String[]::new);

    @TempDir
    private Path directory;

    /** An ordinary build does the same with a new start in between. */
    @Test
    @Tag("nightly")
    void shouldHoldSeveralTimesItsHeap() throws Exception {
        fillAndDrain("96m", 300_000, LARGE_BYTES, 16 << 20, 1, false);
    }

    @Test
    void shouldComeBackWithSeveralTimesItsHeap() throws Exception {
        fillAndDrain("64m", 200_000, LARGE_BYTES, 16 << 20, 1, true);
    }

    @Test
    @Tag("soak")
    void shouldHoldTenMillionMessages() throws Exception {
        fillAndDrain("512m", 10_000_000, PAYLOAD_BYTES, 256 << 20, 30, false);
    }

    @Test
    @Tag("soak")
    void shouldComeBackWithTenMillionMessages() throws Exception {
        fillAndDrain("512m", 10_000_000, PAYLOAD_BYTES, 256 << 20, 30, true);
    }

    /** In an ordinary build {@code NamedBacklogTest} has a queue of that kind. */
    @Test
    @Tag("nightly")
    void shouldServeSubscriptionsThatTheHeapHasNoRoomToKnowOf() throws Exception {
        // given
        Path configuration = directory.resolve("broker.json");
        Files.writeString(configuration, CONFIGURATION.formatted(1, 64 << 20, 5));
        String[] topic = {TOPICS[0]};
        int acknowledged;
        try (Launched broker = launch(configuration, "48m")) {
            subscribe(broker.port(), "away-0", "backlog/+");
            for (int client = 1; client < AWAY; client++) {
                subscribe(broker.port(), "away-" + client, topic);
            }
            assertThat(new Filling(broker.port(), 1, new String[] {"backlog/more"}, MORE, SMALL_BYTES).call())
                    .isEqualTo(MORE);
            subscribe(broker.port(), "sharing", "$SharedSubscription/all/" + TOPICS[0]);
            acknowledged = new Filling(broker.port(), 0, topic, FOR_ALL, SMALL_BYTES).call();
        } // which kills it

        // when
        try (Launched broker = launch(configuration, "40m")) {
            List<Draining> consumers = List.of(
                    new Draining(broker.port(), "away-0", acknowledged + MORE, SMALL_BYTES, 2, 1),
                    new Draining(broker.port(), "away-" + (AWAY - 1), acknowledged, SMALL_BYTES, 2, 1),
                    new Draining(broker.port(), "sharing", acknowledged, SMALL_BYTES, 2, 1));

            // then
            assertThat(acknowledged).isEqualTo(FOR_ALL);
            assertThat(sum(consumers)).isEqualTo(consumers.size() * FOR_ALL + MORE);
            broker.terminate();
            assertThat(broker.output())
                    .contains("of references.paged; the subscription of client 'away-0' to 'backlog/+' holds most")
                    .doesNotContain("OutOfMemory", "which are refused");
            assertThat(broker.exitCode()).isZero();
        }
    }

    private void fillAndDrain(
            String heap, int messages, int payloadBytes, int segmentBytes, int checkpointSeconds, boolean restarting)
            throws Exception {
        // given
        Path configuration = directory.resolve("broker.json");
        // with two loops sessions come back on one and are taken over by the other
        int ioThreads = restarting ? 2 : 1;
        Files.writeString(configuration, CONFIGURATION.formatted(ioThreads, segmentBytes, checkpointSeconds));
        Launched broker = launch(configuration, heap);
        try {
            for (int client = 0; client < CLIENTS; client++) {
                subscribe(broker.port(), client);
            }

            // when
            long fromNs = System.nanoTime();
            int filled = fill(broker.port(), messages, payloadBytes);
            if (filled != messages) {
                broker.close();
                throw new AssertionError(filled + " of " + messages + " were taken: " + broker.output());
            }
            double fillSeconds = secondsSince(fromNs);
            long filledBytes = storeBytes();
            fromNs = System.nanoTime();
            if (restarting) {
                broker.terminate();
                assertThat(broker.exitCode()).isZero();
                broker.close();
                broker = launch(configuration, heap);
            }
            double restartSeconds = secondsSince(fromNs);

            // then
            fromNs = System.nanoTime();
            int expected = messages + messages / CLIENTS;
            assertThat(drain(broker.port(), messages, payloadBytes)).isEqualTo(expected);
            double drainSeconds = secondsSince(fromNs);
            long drainedBytes = storeBytes();
            long goalBytes = Math.max(4L * segmentBytes, filledBytes / 10);
            await(() -> storeBytes() <= goalBytes, "the disk to be given back");
            System.out.printf(
                    "%s heap, %d messages of %d bytes: filled in %.1f s (%.0f/s), restarted in %.1f s, %d drained in %.1f s"
                            + " (%.0f/s); disk %d MB, %d MB with the last message, %d MB %.1f s after it began%n",
                    heap,
                    messages,
                    payloadBytes,
                    fillSeconds,
                    messages / fillSeconds,
                    restartSeconds,
                    expected,
                    drainSeconds,
                    expected / drainSeconds,
                    filledBytes >> 20,
                    drainedBytes >> 20,
                    storeBytes() >> 20,
                    secondsSince(fromNs));
            broker.terminate();
            assertThat(broker.exitCode()).isZero();
        } finally {
            broker.close();
        }
    }

    /** Each has a topic of its own; the last has that of the first as well. */
    private static void subscribe(int port, int client) throws IOException {
        if (client == CLIENTS - 1) {
            subscribe(port, "away-" + client, TOPICS[client], TOPICS[0]);
        } else {
            subscribe(port, "away-" + client, TOPICS[client]);
        }
    }

    private static void subscribe(int port, String clientId, String... filters) throws IOException {
        try (PipelinedClient connected = new PipelinedClient(port, clientId)) {
            connected.subscribe(filters);
        }
    }

    private static int fill(int port, int messages, int payloadBytes) throws InterruptedException, ExecutionException {
        List<Filling> publishers = new ArrayList<>();
        for (int publisher = 0; publisher < PUBLISHERS; publisher++) {
            publishers.add(new Filling(port, publisher, TOPICS, messages / PUBLISHERS, payloadBytes));
        }
        return sum(publishers);
    }

    private static int drain(int port, int messages, int payloadBytes) throws InterruptedException, ExecutionException {
        List<Draining> consumers = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            consumers.add(draining(port, client, messages, payloadBytes));
        }
        return sum(consumers);
    }

    /** @param messages acknowledged to all publishers together, to each of them as many or to one of them all */
    private static Draining draining(int port, int client, int messages, int payloadBytes) {
        int own = messages / CLIENTS;
        int expected = client == CLIENTS - 1 ? 2 * own : own;
        return new Draining(port, "away-" + client, expected, payloadBytes, PUBLISHERS, TOPICS.length);
    }

    private static int sum(List<? extends Callable<Integer>> tasks) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            int sum = 0;
            for (Future<Integer> task : threads.invokeAll(tasks)) {
                sum += task.get();
            }
            return sum;
        } finally {
            threads.shutdownNow();
        }
    }

    private Launched launch(Path configuration, String heap) throws IOException {
        Launched broker = Distribution.launch(
                Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "BROKER_HEAP",
                        heap,
                        "JAVA_OPTS",
                        System.getProperty("avocet.backlog.jvm", "")),
                "--data",
                directory.resolve("data").toString(),
                "--config",
                configuration.toString(),
                "--endpoint",
                "127.0.0.1:0",
                "--admin",
                "off");
        broker.awaitLine("ready");
        return broker;
    }

    private static void await(Callable<Boolean> condition, String what) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.call()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("waited in vain for " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    /** What the files of the store take on the disk, which are reserved in full. */
    private long storeBytes() throws IOException {
        return LivingFiles.below(directory.resolve("data").resolve("store")).stream()
                .mapToLong(BacklogTest::size)
                .sum();
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // it has been deleted meanwhile
        }
    }

    private static double secondsSince(long fromNs) {
        return (System.nanoTime() - fromNs) / 1e9;
    }
}
