package dev.avocet.core.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Entries by their numbers: an open hash table, linear probing, at most half full, which shrinks when it is empty. Home
 * loop.
 */
final class EntryTable {
    private static final int FIRST_CAPACITY = 8;
    private static final int KEPT_CAPACITY = 1024;
    /** 2^64 divided by the golden ratio: successive numbers land far from each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private @Nullable QueueEntry[] slots = new QueueEntry[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    void put(QueueEntry entry) {
        if (size * 2 >= slots.length) {
            grow();
        }
        int slot = home(entry.number);
        QueueEntry present = slots[slot];
        while (present != null && present != entry) {
            slot = after(slot);
            present = slots[slot];
        }
        size += present == null ? 1 : 0;
        slots[slot] = entry;
    }

    @Nullable QueueEntry get(long number) {
        int slot = home(number);
        QueueEntry present = slots[slot];
        while (present != null && present.number != number) {
            slot = after(slot);
            present = slots[slot];
        }
        return present;
    }

    /** Takes an entry away, if it is there. */
    void remove(QueueEntry entry) {
        int gap = home(entry.number);
        while (slots[gap] != entry) {
            if (slots[gap] == null) {
                return;
            }
            gap = after(gap);
        }
        size--;
        if (size == 0 && slots.length > KEPT_CAPACITY) {
            clear();
            return;
        }
        int mask = slots.length - 1;
        for (int i = after(gap); slots[i] != null; i = after(i)) {
            QueueEntry moving = slots[i];
            if (moving != null && (i - home(moving.number) & mask) >= (i - gap & mask)) {
                slots[gap] = moving;
                gap = i;
            }
        }
        slots[gap] = null;
    }

    void clear() {
        slots = new QueueEntry[FIRST_CAPACITY];
        size = 0;
    }

    void forEach(Consumer<QueueEntry> action) {
        for (QueueEntry entry : slots) {
            if (entry != null) {
                action.accept(entry);
            }
        }
    }

    /** A copy. */
    List<QueueEntry> all() {
        List<QueueEntry> all = new ArrayList<>(size);
        forEach(all::add);
        return all;
    }

    private void grow() {
        @Nullable QueueEntry[] before = slots;
        slots = new QueueEntry[before.length * 2];
        for (QueueEntry entry : before) {
            if (entry != null) {
                int slot = home(entry.number);
                while (slots[slot] != null) {
                    slot = after(slot);
                }
                slots[slot] = entry;
            }
        }
    }

    private int home(long number) {
        return (int) (number * SPREAD >>> Integer.numberOfLeadingZeros(slots.length) + 33);
    }

    private int after(int slot) {
        return slot + 1 & (slots.length - 1);
    }
}
