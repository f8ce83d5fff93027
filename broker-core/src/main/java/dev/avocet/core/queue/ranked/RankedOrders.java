package dev.avocet.core.queue.ranked;

/** Counts what becomes available in a queue by name: messages that arrive, and those that come back. Home loop. */
public final class RankedOrders {
    private long last;

    /** Greater than all that were given out. */
    public long next() {
        return ++last;
    }

    /** What was given out last. */
    public long last() {
        return last;
    }
}
