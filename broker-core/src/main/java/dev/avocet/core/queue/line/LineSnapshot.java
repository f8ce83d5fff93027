package dev.avocet.core.queue.line;

import dev.avocet.core.queue.reference.Durability;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.ReferenceView;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import java.util.List;

/** What a {@link DurableLine} held at one moment; it does not change. Any one thread looks through it. */
public record LineSnapshot(
        long queueId, long nextReference, int size, InFlightReferences inFlight, List<ReferenceView> waiting)
        implements QueueSnapshot {
    /** Of a queue to which nothing has come yet. */
    public static LineSnapshot empty(Durability durability) {
        return new LineSnapshot(
                durability.queueId(), durability.nextReference(), 0, new InFlightReferences(), List.of());
    }

    @Override
    public void forEach(ReferenceVisitor visitor) {
        inFlight.forEach(visitor);
        waiting.forEach(chunk -> chunk.forEach(visitor));
    }
}
