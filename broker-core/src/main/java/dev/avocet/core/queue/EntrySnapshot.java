package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored references of a queue by name at one moment. Any thread. */
record EntrySnapshot(long queueId, long nextReference, List<Seen> references) implements QueueSnapshot {
    static EntrySnapshot of(Durability durability, Iterable<QueueEntry> entries) {
        List<Seen> seen = new ArrayList<>();
        for (QueueEntry entry : entries) {
            if (entry.isStored()) {
                seen.add(new Seen(entry.number, entry.position, entry.storedBytes, entry.deadlineNs, entry.options()));
            }
        }
        return new EntrySnapshot(durability.queueId(), durability.nextReference(), seen);
    }

    @Override
    public int size() {
        return references.size();
    }

    @Override
    public void forEach(ReferenceVisitor visitor) {
        List<Seen> inOrder = new ArrayList<>(references);
        inOrder.sort(Comparator.comparingLong(Seen::number));
        inOrder.forEach(seen ->
                visitor.onReference(seen.number, seen.position, seen.storedBytes, seen.deadlineNs, seen.options));
    }

    private record Seen(
            long number,
            long position,
            int storedBytes,
            long deadlineNs,
            @Nullable DeliveryOptions options) {}
}
