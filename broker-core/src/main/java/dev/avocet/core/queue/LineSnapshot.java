package dev.avocet.core.queue;

import java.util.List;

/** What a {@link DurableLine} held at one moment. */
record LineSnapshot(
        long queueId, long nextReference, int size, InFlightReferences inFlight, List<ReferenceView> waiting)
        implements QueueSnapshot {
    /** Of a queue to which nothing has come yet. */
    static LineSnapshot empty(Durability durability) {
        return new LineSnapshot(
                durability.queueId(), durability.nextReference(), 0, new InFlightReferences(), List.of());
    }

    @Override
    public void forEach(ReferenceVisitor visitor) {
        inFlight.forEach(visitor);
        waiting.forEach(chunk -> chunk.forEach(visitor));
    }
}
