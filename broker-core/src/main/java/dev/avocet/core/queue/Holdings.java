package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.ranked.EntryTable;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.QueueEntry.Memory;
import dev.avocet.core.queue.ranked.RankedReferences;
import dev.avocet.core.queue.reference.ReadAheadLimits;
import dev.avocet.core.queue.room.QueueFigures;
import dev.avocet.core.queue.room.QueueRoom;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts what waits in a queue by name, and decides which messages of it are in memory: those that are nowhere else,
 * those for which the store grants memory, and a few that are wanted soon. Home loop.
 */
final class Holdings {
    private final RankedQueue queue;
    private final QueueRoom room;
    private final QueueFigures figures;
    /** Those that are {@link Memory#AHEAD}, oldest first, among others that are not any longer. */
    private final Deque<QueueEntry> ahead = new ArrayDeque<>(0);

    private final RankedReferences waiting;
    private final EntryTable entries;
    private int size;
    private int aheadCount;
    private long aheadBytes;
    private long unstoredBytes;
    private long storedBytes;
    private long heapBytes;

    /** @param entries beside those that wait */
    Holdings(RankedQueue queue, QueueRoom room, QueueFigures figures, RankedReferences waiting, EntryTable entries) {
        this.queue = queue;
        this.room = room;
        this.figures = figures;
        this.waiting = waiting;
        this.entries = entries;
    }

    int size() {
        return size;
    }

    /** An entry begins to wait. */
    void enter(QueueEntry entry) {
        size++;
        if (!entry.isStored()) {
            unstoredBytes += entry.sizeBytes();
            count(entry, Memory.ONLY);
            return;
        }
        storedBytes += entry.storedBytes;
        if (!entry.isAbsent()) {
            keepOrNot(entry);
        }
    }

    /** A reference begins to wait whose message is on disk only. */
    void enter(int bytes) {
        size++;
        storedBytes += bytes;
    }

    /** Everything has ended. */
    void clear() {
        size = 0;
        aheadCount = 0;
        aheadBytes = 0;
        unstoredBytes = 0;
        storedBytes = 0;
        heapBytes = 0;
        ahead.clear();
        show();
    }

    /** An entry waits no longer; its message stays with it. */
    void leave(QueueEntry entry) {
        size--;
        if (entry.isStored()) {
            storedBytes -= entry.storedBytes;
        } else {
            unstoredBytes -= entry.sizeBytes();
        }
        uncount(entry);
    }

    /** The message of an entry that waits was read back. */
    void readBack(QueueEntry entry, Message message) {
        entry.message = message;
        takeAhead(entry);
    }

    /** The message of one that waits takes more or less now, as it lies elsewhere. */
    void resized(int bytes) {
        storedBytes += bytes;
    }

    /** Memory is short: what the store has as well need not be there. */
    void shed(QueueEntry entry) {
        if (entry.memory == Memory.KEPT) {
            uncount(entry);
            letGo(entry);
        }
    }

    private void letGo(QueueEntry entry) {
        entry.message = null;
        waiting.forget(entry);
    }

    /** Shows what waits to other threads and to the gauges. */
    void show() {
        room.showBytes(unstoredBytes, storedBytes);
        long references = waiting.heapBytes() + (long) entries.size() * QueueEntry.HEAP_BYTES;
        figures.showWaiting(size, heapBytes, references, home());
    }

    private void keepOrNot(QueueEntry entry) {
        int sizeBytes = entry.sizeBytes();
        if (room.limits().allowsBuffered(heapBytes + sizeBytes)
                && queue.durability().store().keepInMemory(shareOf(entry))) {
            count(entry, Memory.KEPT);
        } else if (hasRoomAhead(sizeBytes)) {
            takeAhead(entry);
        } else {
            entry.message = null;
        }
    }

    private void takeAhead(QueueEntry entry) {
        count(entry, Memory.AHEAD);
        aheadCount++;
        aheadBytes += entry.sizeBytes();
        ahead.add(entry);
        ReadAheadLimits limits = limits();
        while (aheadCount > limits.maxMessages() || aheadBytes > limits.maxBytes() && aheadCount > 1) {
            QueueEntry oldest = ahead.poll();
            if (oldest == null) {
                break;
            }
            if (oldest.memory == Memory.AHEAD && oldest != entry) {
                uncount(oldest);
                letGo(oldest);
            }
        }
        if (ahead.size() > 2 * limits.maxMessages()) {
            ahead.removeIf(one -> one.memory != Memory.AHEAD);
        }
    }

    /** What an entry takes of the memory for messages that wait, while it is {@link Memory#KEPT}. */
    static int shareOf(QueueEntry entry) {
        return entry.sizeBytes() + QueueEntry.HEAP_BYTES;
    }

    private boolean hasRoomAhead(int sizeBytes) {
        return aheadCount < limits().maxMessages() && aheadBytes + sizeBytes <= limits().maxBytes();
    }

    private ReadAheadLimits limits() {
        return queue.durability().limits();
    }

    private void count(QueueEntry entry, Memory memory) {
        entry.memory = memory;
        heapBytes += entry.sizeBytes();
    }

    private void uncount(QueueEntry entry) {
        Memory memory = entry.memory;
        if (memory == Memory.UNCOUNTED) {
            return;
        }
        int sizeBytes = entry.sizeBytes();
        entry.memory = Memory.UNCOUNTED;
        heapBytes -= sizeBytes;
        if (memory == Memory.KEPT) {
            queue.durability().store().letGo(shareOf(entry));
        } else if (memory == Memory.AHEAD) {
            aheadCount--;
            aheadBytes -= sizeBytes;
        }
    }

    private IoLoop home() {
        return queue.home();
    }
}
