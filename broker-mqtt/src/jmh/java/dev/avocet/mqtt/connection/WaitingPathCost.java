package dev.avocet.mqtt.connection;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/**
 * What publishers that wait cost the rate of their consumer: {@link PathWork#WAIT} against {@link PathWork#ROOM} in
 * short turns of one JVM, so that other work of the machine meets both alike. Processor time of the one thread that
 * does all that the broker does for a message, from the bytes of a publisher to the acknowledgement of the consumer.
 *
 * <pre>scripts/bench broker-mqtt main=dev.avocet.mqtt.connection.WaitingPathCost [ROUNDS]</pre>
 */
public final class WaitingPathCost {
    private static final int WARM_ROUNDS = 20;
    private static final int ROUNDS = 60;
    private static final int MESSAGES_PER_ROUND = 20_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private WaitingPathCost() {}

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : ROUNDS;
        Thread thread =
                new FastThreadLocalThread(() -> run(rounds), "path"); // as Netty's are: it has a cache of buffers
        thread.start();
        thread.join();
    }

    private static void run(int rounds) {
        PathRig room = new PathRig(PathWork.ROOM);
        PathRig wait = new PathRig(PathWork.WAIT);
        double[] ofRoom = new double[rounds];
        double[] ofWait = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            double one = turn(room);
            double other = turn(wait);
            if (round >= 0) {
                ofRoom[round] = one;
                ofWait[round] = other;
                ratios[round] = other / one;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "processor time for a message: %.0f ns with room, %.0f ns waiting; ratio %.3f (quartiles %.3f, %.3f)%n",
                at(ofRoom, 0.5),
                at(ofWait, 0.5),
                at(ratios, 0.5),
                at(ratios, 0.25),
                at(ratios, 0.75));
    }

    private static double turn(PathRig rig) {
        long beganNs = THREADS.getCurrentThreadCpuTime();
        int messages = 0;
        while (messages < MESSAGES_PER_ROUND) {
            messages += rig.turn();
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - beganNs) / messages;
    }

    private static double at(double[] values, double part) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) (part * sorted.length)];
    }
}
