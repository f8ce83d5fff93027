package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.ranked.EntryTable;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.RankedChunk;
import dev.avocet.core.queue.reference.Durability;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.transit.DeliverySource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/**
 * What a queue by name held when it ended. A backlog may be millions of messages, so they are let go in steps, and the
 * loop serves its clients in between. Home loop of the queue at its end.
 */
final class AbandonedReferences {
    /** Below a millisecond. */
    private static final int REFERENCES_PER_TURN = 4 * 1024;

    private final Deque<RankedChunk> chunks;
    private final EntryTable.Walk entries;
    private final Durability durability;
    private final IoLoop loop;

    /**
     * @param waiting that no other object uses any longer
     * @param entries in flight or delayed
     */
    AbandonedReferences(Collection<RankedChunk> waiting, EntryTable.Walk entries, Durability durability, IoLoop loop) {
        this.chunks = new ArrayDeque<>(waiting);
        this.entries = entries;
        this.durability = durability;
        this.loop = loop;
    }

    /** Lets go of a part; the rest follows by itself. */
    void turn() {
        int left = REFERENCES_PER_TURN;
        while (left > 0 && !chunks.isEmpty()) {
            left -= end(chunks.remove());
        }
        entries.forEach(left, this::end);
        if (!chunks.isEmpty() || !entries.isOver()) {
            loop.executeAfterInput(this::turn);
        }
    }

    private int end(RankedChunk chunk) {
        QueueStore store = durability.store();
        chunk.thaw();
        for (int i = chunk.next(0); i < chunk.tail(); i = chunk.next(i + 1)) {
            QueueEntry entry = chunk.entry(i);
            if (entry != null && entry.memory == QueueEntry.Memory.KEPT) {
                store.letGo(Holdings.shareOf(entry));
            }
            if (chunk.number(i) > DeliverySource.NOT_STORED) {
                store.abandoned(chunk.position(i), chunk.sizeBytes(i));
            }
        }
        chunk.dropPage();
        return chunk.tail();
    }

    private void end(QueueEntry entry) {
        QueueStore store = durability.store();
        if (entry.memory == QueueEntry.Memory.KEPT) {
            store.letGo(Holdings.shareOf(entry));
        }
        if (entry.isStored()) {
            store.abandoned(entry.position, entry.storedBytes);
        }
    }
}
