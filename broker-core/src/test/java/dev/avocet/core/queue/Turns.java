package dev.avocet.core.queue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.stream.IntStream;

/** The histogram of one kind of work: how long the tasks of a loop take, in processor time of its thread. */
final class Turns {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String what;
    private long[] durationsNs = new long[64];
    private int count;

    Turns(String what) {
        this.what = what;
    }

    /** Runs tasks, and those that they bring, until there are no more. */
    void runAll(Queue<Runnable> tasks) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            long beganNs = THREADS.getCurrentThreadCpuTime();
            task.run();
            add(THREADS.getCurrentThreadCpuTime() - beganNs);
        }
    }

    /** Of each kind of work the try with the shorter longest task. */
    static List<Turns> shorter(List<Turns> one, List<Turns> other) {
        return IntStream.range(0, one.size())
                .mapToObj(i -> one.get(i).maxMs() <= other.get(i).maxMs() ? one.get(i) : other.get(i))
                .toList();
    }

    private void add(long durationNs) {
        if (count == durationsNs.length) {
            durationsNs = Arrays.copyOf(durationsNs, 2 * count);
        }
        durationsNs[count++] = durationNs;
    }

    double maxMs() {
        return at(1);
    }

    private double at(double part) {
        long[] sorted = Arrays.copyOf(durationsNs, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1, (long) (part * count))] / 1e6;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-12s %8d tasks, processor time p50 %.3f ms, p99 %.3f ms, max %.3f ms",
                what,
                count,
                at(0.5),
                at(0.99),
                maxMs());
    }
}
