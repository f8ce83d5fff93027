package dev.avocet.core.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of one event loop. Only the loop's thread adds, so an addition is a plain read and an opaque write and
 * no two processors fight for a line; any thread may read. A gauge may be negative here, when one loop adds what
 * another takes away: only the sum over all loops means something.
 */
public final class LoopCounters {
    private static final int COUNT = Counter.values().length;
    /** Unused entries at both ends keep two loops' counters off the same cache line. */
    private static final int PADDING = 16;

    private final AtomicLongArray values = new AtomicLongArray(COUNT + 2 * PADDING);

    public void increment(Counter counter) {
        add(counter, 1);
    }

    public void add(Counter counter, long delta) {
        int slot = counter.ordinal() + PADDING;
        values.setOpaque(slot, values.getPlain(slot) + delta);
    }

    public long get(Counter counter) {
        return values.getOpaque(counter.ordinal() + PADDING);
    }
}
