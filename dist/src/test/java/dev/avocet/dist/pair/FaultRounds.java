package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import dev.avocet.testkit.LoopDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Rounds of load, a fault and healing with the processes of a pair. */
final class FaultRounds {
    private static final int ROUNDS = 50;
    /** Of what a store tells of itself; its checkpoints and segments are its own. */
    private static final List<String> CONTENTS =
            List.of("sessions ", "queues ", "messages ", "retained ", "prepared transactions ");

    private static final Path LOGS = Path.of("target", "pair-fault");

    private final Path folder;
    private final boolean withZooKeeper;
    private final List<String> schedule = new ArrayList<>();

    FaultRounds(Path folder, boolean withZooKeeper) {
        this.folder = folder;
        this.withZooKeeper = withZooKeeper;
    }

    /** @param otherwise the seed where {@code -Davocet.random.first} says none */
    static long firstSeed(long otherwise) {
        return Long.getLong("avocet.random.first", otherwise);
    }

    /** Faults that the seed draws. */
    void playMany(long seed) throws Exception {
        Random chance = new Random(seed);
        List<PairFault> all = Arrays.asList(PairFault.values());
        play(chance.ints(ROUNDS, 0, all.size()).mapToObj(all::get).toList(), seed);
    }

    void play(List<PairFault> faults, long seed) throws Exception {
        boolean withDisks = LoopDisk.obstacle().isEmpty();
        try (FaultyPair pair = new FaultyPair(folder, withDisks, withZooKeeper);
                PairLoad load = new PairLoad(pair)) {
            try {
                Random chance = new Random(seed);
                pair.start();
                load.start();
                int before = pair.epoch() - 1;
                for (PairFault fault : faults) {
                    if (withDisks || !fault.needsDisks()) {
                        playRound(fault, pair, load, chance, before);
                    }
                }
                load.settle();
                assertSameStores(pair);
                System.out.println("seed " + seed + ": " + schedule.size() + " faults, " + load.summary());
            } catch (Throwable e) {
                load.stop();
                Path logs = LOGS.resolve(Long.toString(seed)).toAbsolutePath();
                String health =
                        FaultyPair.BROKERS.stream().map(pair::health).toList().toString();
                pair.keepLogs(logs);
                throw new AssertionError(
                        "seed " + seed + ", after " + schedule + "; then " + health + "; logs in " + logs, e);
            }
        }
    }

    private void playRound(PairFault fault, FaultyPair pair, PairLoad load, Random chance, int before)
            throws IOException, InterruptedException {
        String active = pair.awaitActive();
        schedule.add(fault + " with " + active + " active");
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(chance.nextInt(500)));
        fault.play(pair, active, new Random(chance.nextLong()));
        pair.awaitHealed();
        load.awaitMore();
        load.assertOneActiveAtATime(pair.epoch() - before);
    }

    /** Ends both, and compares what each has. */
    private static void assertSameStores(FaultyPair pair) throws IOException, InterruptedException {
        pair.awaitHealed();
        String active = pair.awaitActive();
        pair.kill(PairUnderTest.other(active));
        pair.kill(active);
        List<List<String>> contents = new ArrayList<>();
        for (String node : FaultyPair.BROKERS) {
            String data = pair.data(node).toString();
            store(0, "verify", "--data", data);
            contents.add(store(0, "stat", "--offline", "--data", data)
                    .lines()
                    .filter(line -> CONTENTS.stream().anyMatch(line::startsWith))
                    .toList());
        }
        assertThat(contents.get(0)).hasSize(CONTENTS.size()).isEqualTo(contents.get(1));
    }

    private static String store(int expected, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("store"));
        all.addAll(List.of(arguments));
        try (Launched admin = Distribution.launchAdmin(Distribution.SHORT_LIVED, all.toArray(String[]::new))) {
            int code = admin.exitCode();
            String output = admin.output();
            assertThat(code).as(output).isEqualTo(expected);
            return output;
        }
    }
}
