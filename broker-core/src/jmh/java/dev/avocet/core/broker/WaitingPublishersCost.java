package dev.avocet.core.broker;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * The same as {@link WaitingPublishersBenchmark} in processor time of the thread, both kinds in short turns, so that
 * other work of the machine meets both alike. Prints nanoseconds for a message, and their ratio.
 */
public final class WaitingPublishersCost {
    private static final int ROUNDS = 201;
    private static final int WARM_ROUNDS = 60;
    private static final int ACKNOWLEDGEMENTS = 500;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private WaitingPublishersCost() {}

    public static void main(String[] arguments) {
        WaitingPublishersBenchmark free = opened(false);
        WaitingPublishersBenchmark waiting = opened(true);
        double[] ofFree = new double[ROUNDS];
        double[] ofWaiting = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
            double one = turn(free);
            double other = turn(waiting);
            if (round >= 0) {
                ofFree[round] = one;
                ofWaiting[round] = other;
                ratios[round] = other / one;
            }
        }
        System.out.printf(
                "processor time for a message: %.0f ns with room, %.0f ns waiting; ratio %.3f (quartiles %.3f, %.3f)%n",
                at(ofFree, 0.5), at(ofWaiting, 0.5), at(ratios, 0.5), at(ratios, 0.25), at(ratios, 0.75));
    }

    private static WaitingPublishersBenchmark opened(boolean waiting) {
        WaitingPublishersBenchmark made = new WaitingPublishersBenchmark(waiting);
        made.open();
        return made;
    }

    private static double turn(WaitingPublishersBenchmark benchmark) {
        long beganNs = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < ACKNOWLEDGEMENTS; i++) {
            benchmark.acknowledged();
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - beganNs)
                / ACKNOWLEDGEMENTS
                / WaitingPublishersBenchmark.WINDOW;
    }

    private static double at(double[] values, double part) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) (part * sorted.length)];
    }
}
