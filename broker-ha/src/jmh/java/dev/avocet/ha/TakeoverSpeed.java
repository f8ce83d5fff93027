package dev.avocet.ha;

import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.ha.role.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * How long it takes from the loss of the active node to the first acknowledgement by the other one, with sessions,
 * references and retained messages; and how many messages a second one node acknowledges alone and in a pair. Both
 * nodes are in this process. No JMH.
 */
public final class TakeoverSpeed {
    private static final int SESSIONS = Integer.getInteger("sessions", 20_000);
    private static final int REFERENCES = Integer.getInteger("references", 1_000_000);
    private static final int RETAINED = Integer.getInteger("retained", 100_000);
    private static final int MESSAGES = Integer.getInteger("messages", 50_000);
    private static final int PAYLOAD_BYTES = Integer.getInteger("payload", 256);
    private static final int IN_FLIGHT = 1_000;

    private TakeoverSpeed() {}

    /** @param args a directory; without one a temporary one */
    public static void main(String[] args) throws Exception {
        Path disk = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("takeover");
        try (PairRig rig = new PairRig(disk, PairRig.Kind.CHRONICLE, PairRig.Kind.CHRONICLE)) {
            rig.segmentBytes = 64 << 20;
            rig.times = UnaryOperator.identity();
            rig.startInSync();
            rig.stop(PairRig.B);
            rig.awaitRole(PairRig.A, Role.ALONE);
            TestHost a = rig.host(PairRig.A);
            a.subscribe("rate", "rate");
            for (int round = 1; round <= 3; round++) {
                rate("alone, round " + round, a);
            }
            rig.start(PairRig.B);
            rig.awaitInSync(PairRig.A, PairRig.B);
            for (int round = 1; round <= 3; round++) {
                rate("in a pair, round " + round, a);
            }
            fill(a);
            for (int round = 1; round <= 5; round++) {
                takeOver(rig, round % 2 == 1 ? PairRig.A : PairRig.B, round % 2 == 1 ? PairRig.B : PairRig.A);
            }
        } finally {
            try (Stream<Path> all = Files.walk(disk)) {
                all.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
        System.exit(0);
    }

    private static void rate(String what, TestHost host) throws Exception {
        long beganNs = System.nanoTime();
        publish(host, MESSAGES, i -> "rate");
        long ns = System.nanoTime() - beganNs;
        System.out.printf(
                "%s: %d messages of %d bytes acknowledged a second, %d in flight%n",
                what, MESSAGES * 1_000_000_000L / ns, PAYLOAD_BYTES, IN_FLIGHT);
    }

    private static void fill(TestHost host) throws Exception {
        for (int i = 0; i < SESSIONS; i++) {
            host.subscribe("client-" + i, "all");
        }
        publish(host, REFERENCES / SESSIONS, i -> "all");
        publish(host, RETAINED, i -> "retained/" + i % 100 + "/" + i);
    }

    private static void publish(TestHost host, int count, IntFunction<String> topic) throws Exception {
        List<CompletableFuture<PublishOutcome>> open = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            open.add(host.publish(topic.apply(i), PAYLOAD_BYTES));
            if (open.size() == IN_FLIGHT || i == count - 1) {
                CompletableFuture.allOf(open.toArray(CompletableFuture[]::new)).get(10, TimeUnit.MINUTES);
                open.clear();
            }
        }
    }

    private static void takeOver(PairRig rig, String from, String to) throws Exception {
        rig.awaitInSync(from, to);
        long beganNs = System.nanoTime();
        rig.crashBeside(from);
        rig.awaitServing(to);
        long servesNs = System.nanoTime();
        rig.host(to).publish("first", PAYLOAD_BYTES).get(1, TimeUnit.MINUTES);
        long acknowledgedNs = System.nanoTime();
        System.out.printf(
                "%s is lost: %s serves after %d ms, acknowledges after %d ms; %d sessions, %d references%n",
                from,
                to,
                (servesNs - beganNs) / 1_000_000,
                (acknowledgedNs - beganNs) / 1_000_000,
                rig.host(to).broker().sessions().all().size(),
                rig.host(to).store().references());
        rig.awaitCrash();
        rig.start(from);
    }
}
