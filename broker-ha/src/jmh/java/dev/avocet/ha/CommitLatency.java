package dev.avocet.ha;

import dev.avocet.ha.role.PairSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long the acknowledgement of a message takes that comes alone: in a pair where both nodes have it on their disks,
 * and where the standby has received it, in turns. Both nodes are in this process, on one disk. No JMH.
 */
public final class CommitLatency {
    private static final int MESSAGES = Integer.getInteger("messages", 1_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final int PAYLOAD_BYTES = Integer.getInteger("payload", 256);

    private CommitLatency() {}

    /** @param args a directory; without one a temporary one */
    public static void main(String[] args) throws Exception {
        Path disk = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("commits");
        try (PairRig rig = new PairRig(disk, PairRig.Kind.FILE, PairRig.Kind.FILE)) {
            rig.segmentBytes = 64 << 20;
            rig.startInSync();
            rig.host(PairRig.A).subscribe("client");
            for (int round = 0; round <= ROUNDS; round++) { // the first one warms up
                measure(rig, "Both, round " + round, false);
                measure(rig, "BothMemory, round " + round, true);
            }
        } finally {
            try (Stream<Path> all = Files.walk(disk)) {
                all.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
        System.exit(0);
    }

    private static void measure(PairRig rig, String what, boolean inMemory) throws Exception {
        tune(rig, PairRig.A, PairRig.B, inMemory);
        tune(rig, PairRig.B, PairRig.A, inMemory);
        publish(rig); // with what is still under way
        long[] ns = new long[MESSAGES];
        for (int i = 0; i < MESSAGES; i++) {
            long beganNs = System.nanoTime();
            publish(rig);
            ns[i] = System.nanoTime() - beganNs;
        }
        Arrays.sort(ns);
        System.out.printf(
                "%s: p50 %d us, p99 %d us%n", what, ns[MESSAGES / 2] / 1_000, ns[MESSAGES * 99 / 100] / 1_000);
    }

    private static void publish(PairRig rig) throws Exception {
        rig.host(PairRig.A).publish("topic", PAYLOAD_BYTES).get(1, TimeUnit.MINUTES);
    }

    private static void tune(PairRig rig, String node, String partner, boolean inMemory) {
        PairSettings patient = PairRig.patient(PairSettings.of(node, partner));
        rig.member(node)
                .tune(
                        patient.with(patient.syncTimeout(), patient.diskTimeout(), patient.minInSync(), inMemory),
                        MemberOptions.DEFAULT_MAX_RETAINED_BYTES,
                        MemberOptions.DEFAULT_CATCH_UP_BYTES);
    }
}
