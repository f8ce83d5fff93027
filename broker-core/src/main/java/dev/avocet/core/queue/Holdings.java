package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.QueueEntry.Memory;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts what waits in a queue by name, and decides which messages of it are in memory: those that are nowhere else,
 * those for which the store grants memory, and a few that are wanted soon. Home loop.
 */
final class Holdings {
    private final MessageQueue queue;
    private final QueueRoom room;
    private final QueueFigures figures;
    /** Those that are {@link Memory#AHEAD}, oldest first, among others that are not any longer. */
    private final Deque<QueueEntry> ahead = new ArrayDeque<>(0);

    private int size;
    private int aheadCount;
    private long aheadBytes;
    private long unstoredBytes;
    private long storedBytes;
    private long heapBytes;

    Holdings(MessageQueue queue, QueueRoom room, QueueFigures figures) {
        this.queue = queue;
        this.room = room;
        this.figures = figures;
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

    /** The message of an entry that waits lies elsewhere now. */
    void moved(QueueEntry entry, int nowBytes) {
        if (entry.state == QueueEntry.State.WAITING || entry.state == QueueEntry.State.DELAYED) {
            storedBytes += nowBytes - entry.storedBytes;
        }
    }

    /** Memory is short: what the store has as well need not be there. */
    void shed(QueueEntry entry) {
        if (entry.memory == Memory.KEPT) {
            uncount(entry);
            entry.message = null;
        }
    }

    /** Shows what waits to other threads and to whoever watches the gauges. */
    void show() {
        room.showBytes(unstoredBytes, storedBytes);
        figures.showWaiting(size, heapBytes, home());
    }

    private void keepOrNot(QueueEntry entry) {
        int sizeBytes = entry.sizeBytes();
        if (room.limits().allowsBuffered(heapBytes + sizeBytes)
                && queue.durability().store().keepInMemory(sizeBytes)) {
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
                oldest.message = null;
            }
        }
        if (ahead.size() > 2 * limits.maxMessages()) {
            ahead.removeIf(one -> one.memory != Memory.AHEAD);
        }
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
            queue.durability().store().letGo(sizeBytes);
        } else if (memory == Memory.AHEAD) {
            aheadCount--;
            aheadBytes -= sizeBytes;
        }
    }

    private IoLoop home() {
        return queue.home();
    }
}
