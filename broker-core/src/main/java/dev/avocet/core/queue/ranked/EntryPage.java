package dev.avocet.core.queue.ranked;

import dev.avocet.core.queue.reference.TablePages;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Some entries of an {@link EntryTable}: an open hash table, linear probing, at most half full. Home loop. */
final class EntryPage extends TablePages.Page<EntryPage> {
    private @Nullable QueueEntry[] slots;
    private int size;

    /** The first one of a table. */
    EntryPage() {
        this(0, FIRST_CAPACITY);
    }

    private EntryPage(int depth, int capacity) {
        super(depth);
        slots = new QueueEntry[capacity];
    }

    private EntryPage(EntryPage other) {
        super(other.depth);
        slots = other.slots.clone();
        size = other.size;
    }

    @Override
    protected EntryPage copy() {
        return new EntryPage(this);
    }

    @Override
    protected EntryPage deeper() {
        return new EntryPage(depth + 1, MAX_CAPACITY);
    }

    @Override
    protected void copyTo(EntryPage lower, EntryPage upper) {
        forEach(entry -> {
            boolean added = (isUpper(entry.number) ? upper : lower).put(entry);
            assert added : entry.number + " is there twice";
        });
    }

    /** Each entry counts its own share. */
    @Override
    protected long heapBytes() {
        return 0;
    }

    int size() {
        return size;
    }

    /** True when it has to become two before another one is added. */
    boolean isFull() {
        return size * 2 >= slots.length && slots.length >= MAX_CAPACITY && maySplit();
    }

    /** False when it is there. */
    boolean put(QueueEntry entry) {
        if (size * 2 >= slots.length) {
            grow();
        }
        int slot = home(entry.number);
        for (QueueEntry present = slots[slot]; present != null; present = slots[slot]) {
            if (present == entry) {
                return false;
            }
            slot = after(slot);
        }
        slots[slot] = entry;
        size++;
        return true;
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

    /** Takes one away that is there. */
    void remove(QueueEntry entry) {
        int gap = home(entry.number);
        while (slots[gap] != entry) {
            gap = after(gap);
        }
        size--;
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

    void forEach(Consumer<QueueEntry> action) {
        for (QueueEntry entry : slots) {
            if (entry != null) {
                action.accept(entry);
            }
        }
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
        return home(number, slots.length);
    }

    private int after(int slot) {
        return slot + 1 & (slots.length - 1);
    }
}
