package dev.avocet.core.queue;

import java.util.concurrent.atomic.AtomicLong;

/** What makes a queue durable: who it is in the store, and the numbers of its references. Any thread. */
final class Durability {
    private final long queueId;
    private final QueueStore store;
    private final ReadAheadLimits limits;
    private final AtomicLong nextReference = new AtomicLong(DeliverySource.NOT_STORED + 1);

    Durability(long queueId, QueueStore store, ReadAheadLimits limits) {
        if (queueId == DeliverySource.NOT_STORED) {
            throw new IllegalArgumentException("a durable queue has an identifier other than " + queueId);
        }
        this.queueId = queueId;
        this.store = store;
        this.limits = limits;
    }

    long queueId() {
        return queueId;
    }

    QueueStore store() {
        return store;
    }

    ReadAheadLimits limits() {
        return limits;
    }

    /** Gives out a number. */
    long takeReference() {
        return nextReference.getAndIncrement();
    }

    /** The number that would be given out next. */
    long nextReference() {
        return nextReference.get();
    }

    void beginReferencesAt(long least) {
        nextReference.accumulateAndGet(least, Math::max);
    }
}
