package dev.avocet.core.destination;

import dev.avocet.core.queue.room.QueueStatistics;

/**
 * What happened at a queue since the broker started.
 *
 * @param producers who means to send to it now
 * @param consumers receivers that are attached now, browsers included
 * @param buffered messages waiting, in flight or on their way now
 * @param highWaterMark the most that were buffered at once
 * @param maxMessages the most that may be
 * @param produced messages that it has taken
 * @param consumed messages that a receiver has accepted
 * @param rejected messages that it did not take, as it was full
 * @param expired messages whose time ran out
 * @param discarded messages that no consumer could take and that went nowhere else
 */
public record NamedQueueStatistics(
        String name,
        QueueKind kind,
        int producers,
        int consumers,
        int buffered,
        int highWaterMark,
        int maxMessages,
        long produced,
        long consumed,
        long rejected,
        long expired,
        long discarded) {
    static NamedQueueStatistics of(NamedQueue named, int producers) {
        QueueStatistics its = named.queue().statistics();
        return new NamedQueueStatistics(
                named.name(),
                named.kind(),
                producers,
                its.consumers(),
                its.buffered(),
                its.highWaterMark(),
                named.queue().limits().maxMessages(),
                its.published(),
                named.queue().consumed(),
                its.rejected(),
                its.expired(),
                its.discarded());
    }
}
