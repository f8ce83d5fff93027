package dev.avocet.ha;

import dev.avocet.ha.role.Role;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Prints the processor time that both nodes of a pair spend for a publish, thread by thread, one at a time and many at
 * a time; and the same of a node that is alone. That time is steady also where the machine has other work:
 *
 * <pre>{@code
 * scripts/bench broker-ha main=dev.avocet.ha.CommitCost [DIRECTORY]
 * }</pre>
 *
 * <p>{@code -Dmessages}, {@code -Drounds}, {@code -Dpayload} and {@code -DinFlight} in {@code BENCH_JVM_FLAGS} change
 * what is measured.
 */
public final class CommitCost {
    private static final int MESSAGES = Integer.getInteger("messages", 20_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 3);
    private static final int PAYLOAD_BYTES = Integer.getInteger("payload", 32);
    private static final int MANY = Integer.getInteger("inFlight", 500);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CommitCost() {}

    /** @param args a directory; without one a temporary one */
    public static void main(String[] args) throws Exception {
        Path disk = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("commits");
        try (PairRig rig = new PairRig(disk, PairRig.Kind.FILE, PairRig.Kind.FILE)) {
            rig.segmentBytes = 64 << 20;
            rig.startInSync();
            rig.host(PairRig.A).subscribe("client");
            for (int round = 0; round <= ROUNDS; round++) { // the first one warms up
                measure(rig, "pair, 1 in flight, round " + round, 1);
                measure(rig, "pair, " + MANY + " in flight, round " + round, MANY);
            }
            rig.stop(PairRig.B);
            rig.awaitRole(PairRig.A, Role.ALONE);
            for (int round = 0; round <= ROUNDS; round++) {
                measure(rig, "alone, 1 in flight, round " + round, 1);
                measure(rig, "alone, " + MANY + " in flight, round " + round, MANY);
            }
        } finally {
            try (Stream<Path> all = Files.walk(disk)) {
                all.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
        System.exit(0);
    }

    private static void measure(PairRig rig, String what, int inFlight) throws Exception {
        Map<String, Long> before = cpuNs();
        Semaphore room = new Semaphore(inFlight);
        for (int i = 0; i < MESSAGES; i++) {
            room.acquire();
            CompletableFuture<Void> unused =
                    rig.host(PairRig.A).publish("topic", PAYLOAD_BYTES).thenAccept(outcome -> room.release());
        }
        if (!room.tryAcquire(inFlight, 1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("no acknowledgement");
        }
        StringBuilder line = new StringBuilder(what).append(", us of a message:");
        double[] all = {0};
        cpuNs().forEach((thread, ns) -> {
            double us = (ns - before.getOrDefault(thread, 0L)) / 1e3 / MESSAGES;
            if (us >= 0.02 && !thread.equals("main")) {
                all[0] += us;
                line.append(String.format(" %s %.2f,", thread, us));
            }
        });
        System.out.printf("%s all %.2f%n", line, all[0]);
    }

    /** Of all threads of a name together. */
    private static Map<String, Long> cpuNs() {
        Map<String, Long> times = new TreeMap<>();
        for (long id : THREADS.getAllThreadIds()) {
            ThreadInfo info = THREADS.getThreadInfo(id);
            if (info != null) {
                String name = info.getThreadName().replaceAll("[-0-9]+$", "");
                times.merge(name, Math.max(0, THREADS.getThreadCpuTime(id)), Long::sum);
            }
        }
        return times;
    }
}
