package dev.avocet.core.queue.ranked;

import org.jspecify.annotations.Nullable;

/** The entries that a receiver has in flight, in the order in which it has got them. Home loop. */
public final class EntryList {
    private @Nullable QueueEntry first;
    private @Nullable QueueEntry last;
    private int size;

    /** Forgets all, which others end. Returns how many they were. */
    public int clear() {
        int before = size;
        first = null;
        last = null;
        size = 0;
        return before;
    }

    /** The one that the receiver has got before all others; null when it has none. */
    public @Nullable QueueEntry first() {
        return first;
    }

    void add(QueueEntry entry) {
        entry.previous = last;
        entry.next = null;
        if (last == null) {
            first = entry;
        } else {
            last.next = entry;
        }
        last = entry;
        size++;
    }

    void remove(QueueEntry entry) {
        if (entry.previous == null) {
            first = entry.next;
        } else {
            entry.previous.next = entry.next;
        }
        if (entry.next == null) {
            last = entry.previous;
        } else {
            entry.next.previous = entry.previous;
        }
        entry.previous = null;
        entry.next = null;
        size--;
    }
}
