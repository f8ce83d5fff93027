package dev.avocet.core.queue.ranked;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.reference.Durability;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.ReferenceView;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored references of a queue by name at one moment: those that were in flight or delayed, and those that waited.
 * Which they were is known at once. What is known of the former is gathered in turns, and is no older than the moment;
 * afterwards any one thread may read.
 */
public final class RankedSnapshot implements QueueSnapshot {
    /** Entries of one turn: well below a millisecond. */
    public static final int ENTRIES_PER_TURN = 1_000;

    private final long queueId;
    private final long nextReference;
    private final int waitingSize;
    private final List<ReferenceView> waiting;
    private final EntryTable.Walk walk;
    private final List<List<Seen>> gathered = new ArrayList<>();
    private int gatheredSize;

    /** Taken on the home loop; it stays as it is when the queue goes on. */
    public RankedSnapshot(Durability durability, EntryTable entries, RankedReferences waiting) {
        this.queueId = durability.queueId();
        this.nextReference = durability.nextReference();
        this.waitingSize = waiting.stored();
        this.waiting = waiting.views();
        this.walk = entries.view().walk();
        boolean unused = gather();
    }

    @Override
    public boolean gather() {
        List<Seen> some = new ArrayList<>();
        walk.forEach(ENTRIES_PER_TURN, entry -> {
            if (entry.isStored()) {
                some.add(new Seen(entry.number, entry.position, entry.storedBytes, entry.deadlineNs, entry.options()));
            }
        });
        if (!some.isEmpty()) {
            gathered.add(some);
            gatheredSize += some.size();
        }
        return !walk.isOver();
    }

    @Override
    public long queueId() {
        return queueId;
    }

    @Override
    public long nextReference() {
        return nextReference;
    }

    @Override
    public int size() {
        checkGathered();
        return gatheredSize + waitingSize;
    }

    @Override
    public void forEach(ReferenceVisitor visitor) {
        checkGathered();
        List<Seen> inOrder = new ArrayList<>(gatheredSize);
        gathered.forEach(inOrder::addAll);
        inOrder.sort(Comparator.comparingLong(Seen::number));
        inOrder.forEach(seen ->
                visitor.onReference(seen.number, seen.position, seen.storedBytes, seen.deadlineNs, seen.options));
        waiting.forEach(chunk -> chunk.forEach(visitor));
    }

    private void checkGathered() {
        if (!walk.isOver()) {
            throw new IllegalStateException("a view of queue " + queueId + " is read before all of it is gathered");
        }
    }

    /** What was in flight or delayed. */
    private record Seen(
            long number,
            long position,
            int storedBytes,
            long deadlineNs,
            @Nullable DeliveryOptions options) {}
}
