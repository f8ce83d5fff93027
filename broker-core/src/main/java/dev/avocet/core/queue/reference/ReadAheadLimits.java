package dev.avocet.core.queue.reference;

/**
 * How much a queue keeps in memory for its consumers of what the store would keep on disk only. Immutable.
 *
 * @param maxMessages at least 1
 * @param maxBytes a single message may be larger
 */
public record ReadAheadLimits(int maxMessages, long maxBytes) {
    /**
     * Enough for a loop to be busy while the next ones are read; little enough for thousands of queues that drain at
     * once.
     */
    public static final ReadAheadLimits DEFAULT = new ReadAheadLimits(256, 256 << 10);
}
