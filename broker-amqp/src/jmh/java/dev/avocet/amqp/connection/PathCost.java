package dev.avocet.amqp.connection;

import com.sun.management.ThreadMXBean;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * What a JMS message costs in the broker, from the bytes of its sender to the bytes for its receivers and back, without
 * a network: processor time of the one thread that does everything, so that other programs on the machine count for
 * little, and what it allocates.
 *
 * <pre>scripts/bench broker-amqp main=dev.avocet.amqp.connection.PathCost [WORK [ROUNDS]]</pre>
 */
public final class PathCost {
    private static final int WARM_UP_ROUNDS = 10;
    private static final int ROUNDS = 15;
    private static final long MESSAGES_PER_ROUND = 300_000;

    private PathCost() {}

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread =
                new FastThreadLocalThread(() -> run(arguments), "path"); // as Netty's are: it has a cache of buffers
        thread.start();
        thread.join();
    }

    private static void run(String[] arguments) {
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : ROUNDS;
        for (PathWork work : PathWork.values()) {
            if (arguments.length == 0 || work.name().equals(arguments[0])) {
                measure(work, rounds);
            }
        }
    }

    private static void measure(PathWork work, int rounds) {
        try (PathRig rig = new PathRig(work)) {
            measure(rig, work, rounds);
        }
    }

    private static void measure(PathRig rig, PathWork work, int rounds) {
        double[] ns = new double[rounds];
        double[] bytes = new double[rounds];
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long beginNs = threads.getCurrentThreadCpuTime();
            long beginBytes = threads.getCurrentThreadAllocatedBytes();
            long messages = 0;
            while (messages < MESSAGES_PER_ROUND) {
                long arrived = rig.turn();
                if (arrived == 0) {
                    throw new IllegalStateException("nothing arrives any more");
                }
                messages += arrived;
            }
            if (round >= 0) {
                ns[round] = (double) (threads.getCurrentThreadCpuTime() - beginNs) / messages;
                bytes[round] = (double) (threads.getCurrentThreadAllocatedBytes() - beginBytes) / messages;
            }
        }
        Arrays.sort(ns);
        Arrays.sort(bytes);
        System.out.printf(
                Locale.ROOT,
                "%-6s %7.1f ns (%.1f to %.1f) and %.1f bytes for a message that arrives%n",
                work,
                ns[rounds / 2],
                ns[0],
                ns[rounds - 1],
                bytes[rounds / 2]);
    }
}
