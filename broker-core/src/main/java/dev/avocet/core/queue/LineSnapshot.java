package dev.avocet.core.queue;

import java.util.List;

/** What a {@link DurableLine} held at one moment. */
record LineSnapshot(long queueId, long nextReference, int size, InFlightReferences inFlight, List<ChunkView> waiting)
        implements QueueSnapshot {
    @Override
    public void forEach(ReferenceVisitor visitor) {
        inFlight.forEach(visitor);
        waiting.forEach(chunk -> chunk.forEach(visitor));
    }
}
