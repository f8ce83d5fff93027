package dev.avocet.core.queue.room;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.config.object.policy.RejectScope;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.policy.Limits;
import org.jspecify.annotations.Nullable;

/**
 * How much a queue may hold, and what happens then. May be replaced while the queue is in use.
 *
 * <p>A durable queue holds most of its messages on disk and only references to them in memory. What of them is in
 * memory as well can be let go at any time, so it makes no queue full: it just stays below {@code maxBufferedBytes}.
 *
 * @param maxMessages messages waiting and in flight together, 1 to 20,000,000
 * @param maxBufferedBytes estimated heap of the waiting messages; 0 for no limit
 * @param maxStoredBytes what the waiting messages of a durable queue take in the store; 0 for no limit
 * @param behavior what happens to a message that finds the queue full
 * @param rejectScope whether a message that it refuses is refused for everybody, or this queue alone goes without it
 * @param policy that says all this; null where none does
 */
public record QueueLimits(
        int maxMessages,
        long maxBufferedBytes,
        long maxStoredBytes,
        FullBehavior behavior,
        RejectScope rejectScope,
        @Nullable ObjectKey policy) {
    /**
     * Where no policy says otherwise. Many, because a full subscription refuses a publish as a whole and a burst should
     * not do that; the bytes are what bounds the memory.
     */
    public static final int DEFAULT_MAX_MESSAGES = 100_000;

    /** Keeps one subscription without a reader from eating a heap with large messages. */
    public static final long DEFAULT_MAX_BUFFERED_BYTES = 64L << 20;

    /** Keeps it from filling a disk with them; with ordinary messages their number is reached first. */
    public static final long DEFAULT_MAX_STORED_BYTES = 16L << 30;

    public static final int MAX_MESSAGES_LIMIT = 20_000_000;

    public static final QueueLimits DEFAULT = new QueueLimits(
            DEFAULT_MAX_MESSAGES,
            DEFAULT_MAX_BUFFERED_BYTES,
            DEFAULT_MAX_STORED_BYTES,
            FullBehavior.REJECT_NEW_MESSAGES);

    public QueueLimits {
        if (maxMessages < 1 || maxMessages > MAX_MESSAGES_LIMIT) {
            throw new IllegalArgumentException("maxMessages is 1 to " + MAX_MESSAGES_LIMIT + ", not " + maxMessages);
        }
        if (maxBufferedBytes < 0) {
            throw new IllegalArgumentException("maxBufferedBytes is 0 (no limit) or more, not " + maxBufferedBytes);
        }
        if (maxStoredBytes < 0) {
            throw new IllegalArgumentException("maxStoredBytes is 0 (no limit) or more, not " + maxStoredBytes);
        }
    }

    /** Limits without one for what is on disk. */
    public QueueLimits(int maxMessages, long maxBufferedBytes, FullBehavior behavior) {
        this(maxMessages, maxBufferedBytes, 0, behavior);
    }

    /** Limits that no policy says. */
    public QueueLimits(int maxMessages, long maxBufferedBytes, long maxStoredBytes, FullBehavior behavior) {
        this(maxMessages, maxBufferedBytes, maxStoredBytes, behavior, RejectScope.EVERYBODY, null);
    }

    /**
     * What a policy says about a subscription made under it.
     *
     * @param maxStoredBytes about which policies say nothing
     */
    public static QueueLimits of(Limits limits, long maxStoredBytes) {
        return new QueueLimits(
                limits.maxMessages(),
                limits.maxBytes() == Limits.UNLIMITED ? 0 : limits.maxBytes(),
                maxStoredBytes,
                limits.behavior(),
                limits.rejectScope(),
                limits.policy());
    }

    /** Whether a publish may succeed that this queue refuses. */
    public boolean mayBePassedOver() {
        return rejectScope == RejectScope.FULL_SUBSCRIBER;
    }

    /** Where discarding stops: 95 % of the limit, so that it happens in bursts and not for each message. */
    public int discardTarget() {
        return (int) (maxMessages * 95L / 100);
    }

    /** Where discarding for the sake of memory stops; no target when there is not too much. */
    public long discardTargetBuffered(long bufferedBytes) {
        return discardTarget(bufferedBytes, maxBufferedBytes);
    }

    /** Where discarding for the sake of the disk stops; no target when there is not too much. */
    public long discardTargetStored(long storedBytes) {
        return discardTarget(storedBytes, maxStoredBytes);
    }

    /** True when both kinds of bytes are below their limits. */
    boolean leavesBytes(long bufferedBytes, long storedBytes) {
        return (maxBufferedBytes == 0 || bufferedBytes < maxBufferedBytes)
                && (maxStoredBytes == 0 || storedBytes < maxStoredBytes);
    }

    /** Whether so many bytes are more than the queue may hold. */
    public boolean hasTooMuch(long bufferedBytes, long storedBytes) {
        return exceeds(bufferedBytes, maxBufferedBytes) || exceeds(storedBytes, maxStoredBytes);
    }

    /** True when so much may be in memory. */
    public boolean allowsBuffered(long bufferedBytes) {
        return !exceeds(bufferedBytes, maxBufferedBytes);
    }

    /** Messages that may be on their way from other threads before a queue that discards refuses after all. */
    int overfull() {
        return (int) Math.min(Integer.MAX_VALUE, 100 + 3L * maxMessages);
    }

    private static boolean exceeds(long bytes, long limit) {
        return limit > 0 && bytes > limit;
    }

    private static long discardTarget(long bytes, long limit) {
        return exceeds(bytes, limit) ? limit / 100 * 95 : Long.MAX_VALUE;
    }
}
