package dev.avocet.core.queue.ranked;

import org.jspecify.annotations.Nullable;

/**
 * The entries of a queue by name that are in flight and not stored, by their numbers. These count down by one from
 * message to message, so each entry stands where the last bits of its number say: nothing is searched, and entries that
 * follow each other lie beside each other in memory. An entry that is left while thousands of later ones come has to be
 * {@linkplain #takeOldest set aside}. Home loop.
 */
final class InFlightRing {
    private static final @Nullable QueueEntry[] NONE = {};
    private static final int FIRST_CAPACITY = 16;
    /** What an empty ring keeps. */
    private static final int KEPT_CAPACITY = 64;

    private static final int MAX_CAPACITY = 1 << 14;

    private @Nullable QueueEntry[] slots = NONE;
    /** Numbers are counted up here. Nothing in the ring comes before this one. */
    private long oldest;
    /** Nor is this, or what comes behind it. */
    private long next;

    private int size;

    int size() {
        return size;
    }

    /** Whether an entry comes behind all that the ring may hold, and is not too old for it. */
    boolean isFor(QueueEntry entry) {
        return entry.number < 0 && (size == 0 || -entry.number >= oldest);
    }

    /** Adds an entry that {@linkplain #isFor is for it}; false when there is no room, and the oldest has to go. */
    boolean add(QueueEntry entry) {
        long place = -entry.number;
        if (size == 0) {
            oldest = place;
            next = place;
        }
        if (place - oldest >= slots.length && !makeRoom(place)) {
            return false;
        }
        slots[slot(place)] = entry;
        next = Math.max(next, place + 1);
        size++;
        return true;
    }

    @Nullable QueueEntry get(long number) {
        return -number >= oldest && -number < next ? slots[slot(-number)] : null;
    }

    /** Takes an entry away that is there. */
    void remove(QueueEntry entry) {
        int slot = slot(-entry.number);
        assert slots[slot] == entry : entry.number + " is not in the ring";
        slots[slot] = null;
        size--;
        if (size == 0 && slots.length > KEPT_CAPACITY) {
            clear();
        }
    }

    /** Takes the oldest entry away, of which there is one. */
    QueueEntry takeOldest() {
        skipGone();
        QueueEntry found = slots[slot(oldest)];
        if (found == null) {
            throw new IllegalStateException("the ring is empty");
        }
        remove(found);
        return found;
    }

    void clear() {
        slots = NONE;
        oldest = 0;
        next = 0;
        size = 0;
    }

    private int slot(long place) {
        return (int) place & (slots.length - 1);
    }

    private void skipGone() {
        while (oldest < next && slots[slot(oldest)] == null) {
            oldest++;
        }
    }

    private boolean makeRoom(long place) {
        skipGone();
        int capacity = Math.max(FIRST_CAPACITY, slots.length);
        while (place - oldest >= capacity && capacity < MAX_CAPACITY) {
            capacity *= 2;
        }
        if (capacity > slots.length) {
            grow(capacity);
        }
        return place - oldest < slots.length;
    }

    private void grow(int capacity) {
        @Nullable QueueEntry[] former = slots;
        slots = new QueueEntry[capacity];
        for (long place = oldest; place < next; place++) {
            slots[slot(place)] = former[(int) place & (former.length - 1)];
        }
    }
}
