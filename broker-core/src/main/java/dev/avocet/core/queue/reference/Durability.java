package dev.avocet.core.queue.reference;

import dev.avocet.core.queue.transit.DeliverySource;
import java.util.concurrent.atomic.AtomicLong;

/** What makes a queue durable: who it is in the store, and the numbers of its references. Any thread. */
public final class Durability {
    private final long queueId;
    private final QueueStore store;
    private final ReadAheadLimits limits;
    private final AtomicLong nextReference = new AtomicLong(DeliverySource.NOT_STORED + 1);

    /** @param queueId not {@link DeliverySource#NOT_STORED} */
    public Durability(long queueId, QueueStore store, ReadAheadLimits limits) {
        if (queueId == DeliverySource.NOT_STORED) {
            throw new IllegalArgumentException("a durable queue has an identifier other than " + queueId);
        }
        this.queueId = queueId;
        this.store = store;
        this.limits = limits;
    }

    /** Identifies the queue in the store, however often the broker starts. */
    public long queueId() {
        return queueId;
    }

    /** Where its messages lie. */
    public QueueStore store() {
        return store;
    }

    /** How much is read back before its turn. */
    public ReadAheadLimits limits() {
        return limits;
    }

    /** Gives out a number. */
    public long takeReference() {
        return nextReference.getAndIncrement();
    }

    /** The number that would be given out next. */
    public long nextReference() {
        return nextReference.get();
    }

    /** What is given out from now on is not less than that. */
    public void beginReferencesAt(long least) {
        nextReference.accumulateAndGet(least, Math::max);
    }
}
