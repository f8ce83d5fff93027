package dev.avocet.core.queue.room;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What a queue counts. Home loop, except {@link #countRejected}, {@link #noteMissed}, {@link #noteSettled} and
 * {@link #statistics}.
 */
public final class QueueFigures {
    private volatile @Nullable LongAdder rejected;
    private volatile int missedSinceSettle;

    private long published;
    private long discarded;
    private long expired;
    private long consumed;
    private int highWaterMark;
    /** What the loops' gauges have heard of. */
    private int shownMessages;

    private long shownHeapBytes;
    private long shownReferenceBytes;

    /** Messages were taken; {@code depth} counts those that are still there. */
    public void countPublished(int messages, int depth) {
        published += messages;
        noteDepth(depth);
    }

    /** The queue holds so many messages, of which the greatest number is remembered. Home loop. */
    public void noteDepth(int depth) {
        if (depth > highWaterMark) {
            highWaterMark = depth;
        }
    }

    /** A message was accepted. Home loop. */
    public void countConsumed() {
        consumed++;
    }

    /** Messages that were accepted. May lag when another thread than the home loop asks. */
    public long consumed() {
        return consumed;
    }

    /** So many messages had to go. Home loop. */
    public void countDiscarded(int count, IoLoop home) {
        discarded += count;
        home.counters().add(Counter.MESSAGES_DISCARDED, count);
    }

    /** The time of so many messages was over. Home loop. */
    public void countExpired(int count, IoLoop home) {
        expired += count;
        home.counters().add(Counter.MESSAGES_EXPIRED, count);
    }

    /** A message found the queue full. Any thread. */
    public void countRejected(IoLoop caller) {
        LongAdder adder = rejected;
        if (adder == null) {
            synchronized (this) { // once in a queue's life; never while it has room
                adder = rejected == null ? rejected = new LongAdder() : rejected;
            }
        }
        adder.increment();
        caller.counters().increment(Counter.MESSAGES_REJECTED);
    }

    /** Brings the gauges of messages that wait and of the memory that they and their references take up to date. */
    public void showWaiting(int messages, long heapBytes, long referenceBytes, IoLoop home) {
        if (messages != shownMessages) {
            home.counters().add(Counter.BUFFERED_MESSAGES, messages - shownMessages);
            shownMessages = messages;
        }
        if (heapBytes != shownHeapBytes) {
            home.counters().add(Counter.BUFFERED_BYTES, heapBytes - shownHeapBytes);
            shownHeapBytes = heapBytes;
        }
        if (referenceBytes != shownReferenceBytes) {
            home.counters().add(Counter.REFERENCE_BYTES, referenceBytes - shownReferenceBytes);
            shownReferenceBytes = referenceBytes;
        }
    }

    /**
     * Counts what has passed the consumer by. Not exact among several threads, which this need not be.
     *
     * @return true when with these it is more than is tolerated; once
     */
    public boolean noteMissed(int count, long tolerated) {
        int before = missedSinceSettle;
        int now = (int) Math.min(Integer.MAX_VALUE, (long) before + count);
        missedSinceSettle = now;
        long tolerance = Math.min(tolerated, Integer.MAX_VALUE - 1);
        return tolerance > 0 && before <= tolerance && now > tolerance;
    }

    /** The consumer has acknowledged something. */
    public void noteSettled() {
        if (missedSinceSettle != 0) { // a plain write would be a fence per acknowledgement
            missedSinceSettle = 0;
        }
    }

    /** All of them, for administrators. Any thread. */
    public QueueStatistics statistics(int depth, long storedBytes, int consumers) {
        LongAdder present = rejected;
        return new QueueStatistics(
                published,
                depth,
                storedBytes,
                highWaterMark,
                present == null ? 0 : present.sum(),
                discarded,
                expired,
                consumers);
    }
}
