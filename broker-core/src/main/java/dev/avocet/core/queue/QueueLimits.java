package dev.avocet.core.queue;

/**
 * How much a queue may hold, and what happens then. May be replaced while the queue is in use.
 *
 * @param maxMessages messages waiting and in flight together, 1 to 20,000,000
 * @param maxBytes estimated heap of the waiting messages; 0 for no limit
 * @param behavior what happens to a message that finds the queue full
 */
public record QueueLimits(int maxMessages, long maxBytes, FullBehavior behavior) {
    /**
     * Where no policy says otherwise. Many, because a full subscription refuses a publish as a whole and a burst should not do that;
     * the bytes are what bounds the memory.
     */
    public static final int DEFAULT_MAX_MESSAGES = 100_000;

    /** Keeps one subscription that nobody reads from eating a heap with large messages. */
    public static final long DEFAULT_MAX_BYTES = 64L << 20;

    public static final int MAX_MESSAGES_LIMIT = 20_000_000;

    public static final QueueLimits DEFAULT =
            new QueueLimits(DEFAULT_MAX_MESSAGES, DEFAULT_MAX_BYTES, FullBehavior.REJECT_NEW_MESSAGES);

    public QueueLimits {
        if (maxMessages < 1 || maxMessages > MAX_MESSAGES_LIMIT) {
            throw new IllegalArgumentException("maxMessages is 1 to " + MAX_MESSAGES_LIMIT + ", not " + maxMessages);
        }
        if (maxBytes < 0) {
            throw new IllegalArgumentException("maxBytes is 0 (no limit) or more, not " + maxBytes);
        }
    }

    /** Where discarding stops: 95 % of the limit, so that it happens in bursts and not for each message. */
    int discardTarget() {
        return (int) (maxMessages * 95L / 100);
    }

    /** Where discarding for the sake of bytes stops. */
    long discardTargetBytes() {
        return maxBytes / 100 * 95;
    }

    boolean hasTooMuch(long waitingBytes) {
        return maxBytes > 0 && waitingBytes > maxBytes;
    }

    /** Messages that may be on their way from other threads before a queue that discards refuses after all. */
    int overfull() {
        return (int) Math.min(Integer.MAX_VALUE, 100 + 3L * maxMessages);
    }
}
