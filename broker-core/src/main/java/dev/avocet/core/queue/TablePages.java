package dev.avocet.core.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The pages of a hash table by number, each with the numbers whose hashes begin alike. A page that is full becomes two,
 * so nothing that happens to the table costs more than a page, however many numbers it has; and a view of all of them
 * is a list of pages, of which the table copies each one before it changes it. Home loop; the pages of a view do not
 * change.
 */
final class TablePages<P extends TablePages.Page<P>> {
    /** 2^64 divided by the golden ratio: successive numbers land far from each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** From here on pages grow instead, should numbers have been chosen so that they all land in one. */
    private static final int DEPTH_MAX = 20;

    /** Each as often as it has hashes: by their first bits. */
    private List<P> pages = List.of();

    private int bits;
    private long views;

    /** What every page is, beside what it holds. */
    abstract static class Page<P> {
        static final int FIRST_CAPACITY = 8;
        static final int MAX_CAPACITY = 256;

        /** How many bits the hashes of its numbers have in common. */
        final int depth;

        /** How many views there had been of the table when it came into it: a later one has it too. */
        private long views;

        Page(int depth) {
            this.depth = depth;
        }

        abstract P copy();

        /** Adds all of it to two others. */
        abstract void copyTo(P lower, P upper);

        /** An empty one for half of its numbers. */
        abstract P deeper();

        abstract long heapBytes();

        /** Where the search for a number begins in a page of this capacity, a power of two. */
        final int home(long number, int capacity) {
            return (int) (hash(number) << depth >>> Integer.numberOfLeadingZeros(capacity) + 33);
        }

        /** Whether a number belongs to the upper one of the two that the page becomes. */
        final boolean isUpper(long number) {
            return hash(number) << depth < 0;
        }

        final boolean maySplit() {
            return depth < DEPTH_MAX;
        }

        final long views() {
            return views;
        }

        final void views(long count) {
            views = count;
        }
    }

    boolean isEmpty() {
        return pages.isEmpty();
    }

    void begin(P first) {
        clear();
        first.views(views);
        pages = new ArrayList<>(1);
        pages.add(first);
    }

    void clear() {
        pages = List.of();
        bits = 0;
    }

    /** Of the page for a number, if there is any page. */
    int indexOf(long number) {
        return (int) (hash(number) >>> 1 >>> 63 - bits);
    }

    P get(int index) {
        return pages.get(index);
    }

    /** A page that no view has. */
    P writable(int index) {
        P page = pages.get(index);
        if (page.views() == views) {
            return page;
        }
        P copy = page.copy();
        copy.views(views);
        replace(index, copy, copy);
        return copy;
    }

    /**
     * Makes two of a page that is full; their indexes may be others than its own.
     *
     * @return what that takes of the heap, in bytes
     */
    long split(int index) {
        int at = index;
        P page = pages.get(at);
        if (page.depth == bits) {
            List<P> doubled = new ArrayList<>(2 * pages.size());
            for (P each : pages) {
                doubled.add(each);
                doubled.add(each);
            }
            pages = doubled;
            bits++;
            at *= 2;
        }
        P lower = page.deeper();
        P upper = page.deeper();
        lower.views(views);
        upper.views(views);
        page.copyTo(lower, upper);
        replace(at, lower, upper);
        return lower.heapBytes() + upper.heapBytes() - page.heapBytes();
    }

    /** Two of them replace the page with an index, wherever it stands. */
    private void replace(int index, P lower, P upper) {
        int count = 1 << bits - pages.get(index).depth;
        int from = index & -count;
        for (int i = 0; i < count; i++) {
            pages.set(from + i, 2 * i < count ? lower : upper);
        }
    }

    /** Places of pages; some pages have several. */
    int places() {
        return pages.size();
    }

    /** There are as many places as so many bits make, once there is a page. */
    int bits() {
        return bits;
    }

    /** Where the page at a place has its last one. */
    int lastPlaceOf(int place) {
        return place | (1 << bits - pages.get(place).depth) - 1;
    }

    void forEach(Consumer<P> action) {
        for (int i = 0; i < pages.size(); i = lastPlaceOf(i) + 1) {
            action.accept(pages.get(i));
        }
    }

    /** As it is now. Any one thread. */
    TablePages<P> view() {
        TablePages<P> view = new TablePages<>();
        if (!pages.isEmpty()) {
            view.pages = new ArrayList<>(pages);
            view.bits = bits;
            views++;
        }
        return view;
    }

    /** Pages of successive numbers must not fill at the same pace, or all would be split at once: hence twice. */
    private static long hash(long number) {
        long spread = number * SPREAD;
        return (spread ^ spread >>> Integer.SIZE) * SPREAD;
    }
}
