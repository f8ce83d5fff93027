package dev.avocet.core.store.checkpoint;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue as it was at one moment. */
public record FakeQueueSnapshot(long queueId, long nextReference, List<Reference> references) implements QueueSnapshot {
    @Override
    public int size() {
        return references.size();
    }

    @Override
    public void forEach(ReferenceVisitor visitor) {
        for (Reference reference : references) {
            visitor.onReference(
                    reference.number,
                    reference.position,
                    reference.storedBytes,
                    reference.deadlineNs,
                    reference.options);
        }
    }

    public record Reference(
            long number,
            long position,
            int storedBytes,
            long deadlineNs,
            @Nullable DeliveryOptions options) {}
}
