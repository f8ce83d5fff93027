package dev.avocet.core.queue.line;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages in order, in one growing array: taken at the front, added at the back, given back to the front. Empty queues
 * are the many, so nothing is allocated before the first message and a large array is let go once it has drained.
 */
final class MessageRing {
    private static final int FIRST_CAPACITY = 8;
    private static final int KEPT_CAPACITY = 1024;
    private static final Object[] NOTHING = {};

    private @Nullable Object[] entries = NOTHING;
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void addLast(Object entry) {
        ensureRoom();
        entries[(head + size) & (entries.length - 1)] = entry;
        size++;
    }

    void addFirst(Object entry) {
        ensureRoom();
        head = (head - 1) & (entries.length - 1);
        entries[head] = entry;
        size++;
    }

    @Nullable Object peek() {
        return size == 0 ? null : entries[head];
    }

    /** The entry at a position counted from the front. */
    Object get(int position) {
        Object entry = entries[(head + position) & (entries.length - 1)];
        assert entry != null : "position " + position + " of " + size;
        return entry;
    }

    /** All entries, the first one first. */
    Object[] copy() {
        Object[] copy = new Object[size];
        int untilEnd = Math.min(size, entries.length - head);
        System.arraycopy(entries, head, copy, 0, untilEnd);
        System.arraycopy(entries, 0, copy, untilEnd, size - untilEnd);
        return copy;
    }

    @Nullable Object poll() {
        if (size == 0) {
            return null;
        }
        Object entry = entries[head];
        entries[head] = null;
        head = (head + 1) & (entries.length - 1);
        size--;
        if (size == 0 && entries.length > KEPT_CAPACITY) {
            clear();
        }
        return entry;
    }

    /** Removes the first of entries that are known to be there. */
    Object take() {
        return Objects.requireNonNull(poll(), "ring is empty");
    }

    void clear() {
        entries = NOTHING;
        head = 0;
        size = 0;
    }

    private void ensureRoom() {
        if (size < entries.length) {
            return;
        }
        Object[] larger = new Object[Math.max(FIRST_CAPACITY, entries.length * 2)];
        for (int i = 0; i < size; i++) {
            larger[i] = entries[(head + i) & (entries.length - 1)];
        }
        entries = larger;
        head = 0;
    }
}
