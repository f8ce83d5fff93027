package dev.avocet.mqtt.connection;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.room.QueueLimits;

/**
 * Who publishes what to whom: the works of {@code bench/compare}, and a thousand publishers with one message each on
 * its way to one subscriber that has as many in flight, with room for all of them and with all of them waiting for
 * room.
 */
enum PathWork {
    FAN_OUT(1, 100, 1, QualityOfService.AT_MOST_ONCE),
    FAN_IN(100, 10, 10, QualityOfService.AT_MOST_ONCE),
    QOS1(100, 10, 10, QualityOfService.AT_LEAST_ONCE),
    ROOM(100_000),
    WAIT(PathWork.BACKLOG);

    /** Messages in flight to the subscriber: its window. */
    static final int BACKLOG = 1_000;

    final int publishers;
    final int subscribers;
    /** Of the topics; each has as many of the subscribers, and each publisher publishes to one. */
    final int partitions;

    final QualityOfService qos;
    final int messagesPerRead;
    final int readsPerBatch;
    final boolean hasBacklog;
    /** Of each subscription. */
    @SuppressWarnings("ImmutableEnumChecker") // a record that nothing changes
    final QueueLimits limits;

    PathWork(int publishers, int subscribers, int partitions, QualityOfService qos) {
        this.publishers = publishers;
        this.subscribers = subscribers;
        this.partitions = partitions;
        this.qos = qos;
        this.messagesPerRead = 32;
        this.readsPerBatch = 10;
        this.hasBacklog = false;
        this.limits = QueueLimits.DEFAULT;
    }

    /** @param room messages that the subscription may hold, its backlog included */
    PathWork(int room) {
        this.publishers = 1_000;
        this.subscribers = 1;
        this.partitions = 1;
        this.qos = QualityOfService.AT_LEAST_ONCE;
        this.messagesPerRead = 1;
        this.readsPerBatch = BACKLOG; // all that the subscriber has in flight and acknowledges at once
        this.hasBacklog = true;
        this.limits = new QueueLimits(room, 0, FullBehavior.BACKPRESSURE);
    }

    /** Messages that arrive for one that is published. */
    int copies() {
        return subscribers / partitions;
    }
}
