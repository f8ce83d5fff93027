package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored references of a queue by name at one moment: those that are in flight or delayed, and those that wait. Any
 * thread.
 */
record RankedSnapshot(long queueId, long nextReference, int size, List<Seen> entries, List<ReferenceView> waiting)
        implements QueueSnapshot {
    static RankedSnapshot of(Durability durability, EntryTable entries, RankedReferences waiting) {
        List<Seen> seen = new ArrayList<>();
        entries.forEach(entry -> {
            if (entry.isStored()) {
                seen.add(new Seen(entry.number, entry.position, entry.storedBytes, entry.deadlineNs, entry.options()));
            }
        });
        return new RankedSnapshot(
                durability.queueId(),
                durability.nextReference(),
                seen.size() + waiting.stored(),
                seen,
                waiting.views());
    }

    @Override
    public void forEach(ReferenceVisitor visitor) {
        List<Seen> inOrder = new ArrayList<>(entries);
        inOrder.sort(Comparator.comparingLong(Seen::number));
        inOrder.forEach(seen ->
                visitor.onReference(seen.number, seen.position, seen.storedBytes, seen.deadlineNs, seen.options));
        waiting.forEach(chunk -> chunk.forEach(visitor));
    }

    /** One of the first kind. */
    record Seen(
            long number,
            long position,
            int storedBytes,
            long deadlineNs,
            @Nullable DeliveryOptions options) {}
}
