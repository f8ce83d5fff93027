package dev.avocet.core.queue.room;

/**
 * What happened at a queue since it was made.
 *
 * @param published messages that the queue took
 * @param buffered messages waiting, in flight or on their way now
 * @param storedBytes what the waiting ones take in the store
 * @param highWaterMark the most that were buffered at once
 * @param rejected messages that the full queue did not take
 * @param discarded messages removed to make room
 * @param expired messages whose time ran out while they waited
 * @param consumers consumers attached now
 */
public record QueueStatistics(
        long published,
        int buffered,
        long storedBytes,
        int highWaterMark,
        long rejected,
        long discarded,
        long expired,
        int consumers) {}
