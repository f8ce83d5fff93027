package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.ranked.EntryTable;
import dev.avocet.core.queue.ranked.LastValues;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.QueueEntry.State;
import dev.avocet.core.queue.room.QueueFigures;
import dev.avocet.core.queue.room.QueueRoom;

/** How a message of a queue by name ends, once it waits no longer. Home loop. */
final class EntryEnds {
    private final RankedQueue queue;
    private final QueueRoom room;
    private final QueueFigures figures;
    private final EntryTable entries;
    private final LastValues lastValues;

    EntryEnds(RankedQueue queue, QueueRoom room, QueueFigures figures, EntryTable entries, LastValues lastValues) {
        this.queue = queue;
        this.room = room;
        this.figures = figures;
        this.entries = entries;
        this.lastValues = lastValues;
    }

    /** A receiver has accepted it. Its room is the caller's to give back. */
    void acknowledge(QueueEntry entry) {
        acknowledgeInStore(entry);
        over(entry);
        figures.countConsumed();
    }

    /** No subscriber misses it. */
    void discard(QueueEntry entry) {
        figures.countDiscarded(1, home());
        drop(entry);
    }

    /** The same for one of which the figures know already. */
    void drop(QueueEntry entry) {
        acknowledgeInStore(entry);
        over(entry);
        room.release();
    }

    /** It has gone to another queue, as the store knows. */
    void transferred(QueueEntry entry) {
        over(entry);
        room.release();
    }

    /** Its message is lost. Its room is the caller's to give back. */
    void lose(QueueEntry entry) {
        acknowledgeInStore(entry);
        over(entry);
    }

    /** The store knows of its end. Its room is the caller's to give back. */
    void committed(QueueEntry entry) {
        if (entry.isStored()) {
            queue.durability().store().abandoned(entry.position, entry.storedBytes);
        }
        over(entry);
        figures.countConsumed();
    }

    private void acknowledgeInStore(QueueEntry entry) {
        if (entry.isStored()) {
            queue.durability()
                    .store()
                    .acknowledged(queue.durableId(), entry.number, entry.position, entry.storedBytes, home());
        }
    }

    private void over(QueueEntry entry) {
        entry.state = State.OVER;
        entry.holder(null);
        entry.message = null;
        entry.forgetRefusals();
        entries.remove(entry);
        lastValues.remove(entry);
    }

    private IoLoop home() {
        return queue.home();
    }
}
