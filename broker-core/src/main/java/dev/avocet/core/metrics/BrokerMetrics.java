package dev.avocet.core.metrics;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The broker's counters: the sum of what each loop and everybody else has counted. Thread-safe. */
public final class BrokerMetrics {
    private final List<LoopCounters> loops;
    private final LongAdder[] others = new LongAdder[Counter.values().length];

    public BrokerMetrics(List<LoopCounters> loops) {
        this.loops = List.copyOf(loops);
        for (int i = 0; i < others.length; i++) {
            others[i] = new LongAdder();
        }
    }

    /** Counts from a thread that is no event loop, or whose loop is not at hand. */
    public void increment(Counter counter) {
        others[counter.ordinal()].increment();
    }

    /** The figure now; not a snapshot across several counters. */
    public long get(Counter counter) {
        long sum = others[counter.ordinal()].sum();
        for (LoopCounters loop : loops) {
            sum += loop.get(counter);
        }
        return sum;
    }
}
