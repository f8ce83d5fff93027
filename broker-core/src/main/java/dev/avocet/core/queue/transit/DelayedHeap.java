package dev.avocet.core.queue.transit;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Delayed entries, the one that is due first in front: a binary heap in pages, so that it grows by a page, not by half.
 * Each entry knows its place, so one is taken away in as few steps as it is added. Home loop.
 */
final class DelayedHeap<E extends DelayedEntries.Entry> {
    private static final int PAGE_BITS = 10;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final DelayedEntries.Entry[][] NONE = {};

    private DelayedEntries.@Nullable Entry[][] pages = NONE;
    private int size;

    int size() {
        return size;
    }

    /** All entries, in no order. Copies references only. */
    @SuppressWarnings("unchecked") // each is an E
    List<E> copy() {
        DelayedEntries.Entry[] copy = new DelayedEntries.Entry[size];
        for (int from = 0; from < size; from += PAGE) {
            System.arraycopy(pages[from >>> PAGE_BITS], 0, copy, from, Math.min(PAGE, size - from));
        }
        return (List<E>) Arrays.asList(copy);
    }

    @Nullable E first() {
        return size == 0 ? null : get(0);
    }

    void add(E entry) {
        int page = size >>> PAGE_BITS;
        if (page == pages.length) {
            pages = Arrays.copyOf(pages, Math.max(1, page * 2));
        }
        if (pages[page] == null) {
            pages[page] = new DelayedEntries.Entry[page == 0 ? 8 : PAGE];
        }
        int index = size & PAGE - 1;
        if (index == pages[page].length) {
            pages[page] = Arrays.copyOf(pages[page], index * 2); // only the first one begins small
        }
        size++;
        rise(entry, size - 1);
    }

    /** Takes an entry away, if it is here. */
    void remove(E entry) {
        int place = entry.place;
        if (place < 0 || place >= size || get(place) != entry) {
            return;
        }
        size--;
        E last = get(size);
        pages[size >>> PAGE_BITS][size & PAGE - 1] = null;
        entry.place = -1;
        if ((size & PAGE - 1) == 0) {
            dropBehind(size >>> PAGE_BITS);
        }
        if (last != entry) {
            rise(last, place);
            sink(last, last.place);
        }
    }

    /** Forgets all, which are not used any longer. */
    void clear() {
        pages = NONE;
        size = 0;
    }

    /** The page behind the one that has become empty goes: one stays for what comes. */
    private void dropBehind(int page) {
        if (page == 0) {
            pages = NONE;
        } else if (page + 1 < pages.length) {
            pages[page + 1] = null;
        }
    }

    private void rise(E entry, int from) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
            E above = get(parent);
            if (!entry.isBefore(above)) {
                break;
            }
            set(place, above);
            place = parent;
        }
        set(place, entry);
    }

    private void sink(E entry, int from) {
        int place = from;
        int child = 2 * place + 1;
        while (child < size) {
            if (child + 1 < size && get(child + 1).isBefore(get(child))) {
                child++;
            }
            E below = get(child);
            if (!below.isBefore(entry)) {
                break;
            }
            set(place, below);
            place = child;
            child = 2 * place + 1;
        }
        set(place, entry);
    }

    @SuppressWarnings("unchecked") // each is an E
    private E get(int place) {
        return (E) pages[place >>> PAGE_BITS][place & PAGE - 1];
    }

    private void set(int place, E entry) {
        pages[place >>> PAGE_BITS][place & PAGE - 1] = entry;
        entry.place = place;
    }
}
