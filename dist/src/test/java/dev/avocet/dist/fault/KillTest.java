package dev.avocet.dist.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.Launched;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills the broker with SIGKILL at random moments while clients publish and consume, and starts it again over what it
 * has left. Nothing that was acknowledged may be missing, nothing at QoS 2 may come twice, and the order must stay.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class KillTest {
    private static final int PAIRS = 2;
    private static final String STORE = """
            {"mode": "sync", "journal": "%s", "segmentBytes": 4194304, "checkpointIntervalSeconds": 1}""";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"chronicle", "file"})
    void shouldLoseNothingWhenItIsKilledAFewTimes(String journal) throws IOException, InterruptedException {
        killAndCheck(journal, 2, 42);
    }

    @Test
    @Tag("fault")
    void shouldLoseNothingInTwoHundredKills() throws IOException, InterruptedException {
        killAndCheck("chronicle", 200, 4711);
    }

    @Test
    @Tag("fault")
    void shouldLoseNothingInFiftyKillsWithPlainFiles() throws IOException, InterruptedException {
        killAndCheck("file", 50, 815);
    }

    private void killAndCheck(String journal, int kills, long seed) throws IOException, InterruptedException {
        // given
        Random chance = new Random(seed);
        TestedBroker tested = new TestedBroker(directory, directory.resolve("data"), STORE.formatted(journal));
        int port = tested.port();
        List<Publishing> publishers = new ArrayList<>();
        List<Consuming> consumers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            for (int qos = 1; qos <= 2; qos++) {
                String topic = "kill/" + qos + '/' + pair;
                consumers.add(new Consuming(port, "consumer-" + qos + '-' + pair, topic, qos));
                publishers.add(new Publishing(port, "publisher-" + qos + '-' + pair, topic, qos));
            }
        }
        start(consumers, threads);
        try (Launched first = tested.launch()) {
            await(() -> consumers.stream().allMatch(Consuming::isSubscribed), "every consumer to have subscribed");
            start(publishers, threads);
            runFor(chance);
            first.signal("KILL");
        }

        // when
        for (int kill = 1; kill < kills; kill++) {
            try (Launched broker = tested.launch()) {
                runFor(chance);
                broker.signal("KILL");
            }
            assertThat(problems(publishers, consumers))
                    .as("after kill %d", kill + 1)
                    .isEmpty();
        }

        // then
        try (Launched last = tested.launch()) {
            publishers.forEach(Publishing::finish);
            awaitAll(publishers, consumers);
            assertThat(problems(publishers, consumers)).isEmpty();
            last.terminate();
            assertThat(last.exitCode()).isZero();
        } finally {
            publishers.forEach(Party::stop);
            consumers.forEach(Party::stop);
        }
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
        }
        assertThat(publishers).allMatch(publisher -> publisher.published() > kills, "has published");
        System.out.println(journal + ": " + kills + " kills, "
                + publishers.stream().mapToInt(Publishing::published).sum() + " messages, "
                + consumers.stream().mapToInt(Consuming::repeated).sum() + " repeated at QoS 1");
    }

    private static void awaitAll(List<Publishing> publishers, List<Consuming> consumers) {
        await(
                () -> !problems(publishers, consumers).isEmpty()
                        || publishers.stream().allMatch(Publishing::isFinished),
                "every publish to be acknowledged");
        await(
                () -> {
                    boolean all = true;
                    for (int i = 0; i < publishers.size(); i++) {
                        all &= consumers.get(i).next() >= publishers.get(i).published();
                    }
                    return all || !problems(publishers, consumers).isEmpty();
                },
                "every number to arrive");
    }

    private static List<String> problems(List<Publishing> publishers, List<Consuming> consumers) {
        List<Party> all = new ArrayList<>(publishers);
        all.addAll(consumers);
        return all.stream().map(Party::problem).filter(Objects::nonNull).toList();
    }

    private static void start(List<? extends Party> parties, List<Thread> threads) {
        for (Party party : parties) {
            Thread thread = new Thread(party);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private static void runFor(Random chance) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50 + chance.nextInt(1_200)));
    }

    private static void await(BooleanSupplier condition, String what) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("waited in vain for " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
