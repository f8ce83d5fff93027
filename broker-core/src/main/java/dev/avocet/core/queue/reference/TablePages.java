package dev.avocet.core.queue.reference;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The pages of a hash table by number, each with the numbers whose hashes begin alike. A page that is full becomes two,
 * so nothing that happens to the table costs more than a page, however many numbers it has; and a view of all of them
 * is a list of pages, of which the table copies each one before it changes it. Home loop; the pages of a view do not
 * change.
 */
public final class TablePages<P extends TablePages.Page<P>> {
    /** 2^64 divided by the golden ratio: successive numbers land far from each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** From here on pages grow instead, should numbers have been chosen so that they all land in one. */
    private static final int DEPTH_MAX = 20;

    private static final Page<?>[] NONE = {};

    /** Each as often as it has hashes: by their first bits. */
    private Page<P>[] pages = none();

    private int bits;
    private long views;

    /** What every page is, beside what it holds. */
    public abstract static class Page<P> {
        /** Of the first page of a table. */
        protected static final int FIRST_CAPACITY = 8;
        /** Of a page that does not grow but is split. */
        public static final int MAX_CAPACITY = 256;

        /** How many bits the hashes of its numbers have in common. */
        protected final int depth;

        /** How many views there had been of the table when it came into it: a later one has it too. */
        private long views;

        /** @param depth how many bits the hashes of its numbers have in common */
        protected Page(int depth) {
            this.depth = depth;
        }

        /** What a table changes in place of this page, which a view has. */
        protected abstract P copy();

        /** Adds all of it to two others. */
        protected abstract void copyTo(P lower, P upper);

        /** An empty one for half of its numbers. */
        protected abstract P deeper();

        /** What it takes of the heap. */
        protected abstract long heapBytes();

        /**
         * Where the search for a number begins in a page of this capacity, a power of two. Successive numbers do not
         * collide there, which is what makes the usual table of one page quick.
         */
        protected final int home(long number, int capacity) {
            return (int) (number * SPREAD >>> Integer.numberOfLeadingZeros(capacity) + 33);
        }

        /** Whether a number belongs to the upper one of the two that the page becomes. */
        protected final boolean isUpper(long number) {
            return hash(number) << depth < 0;
        }

        /** False when it grows instead. */
        protected final boolean maySplit() {
            return depth < DEPTH_MAX;
        }

        final long views() {
            return views;
        }

        final void views(long count) {
            views = count;
        }
    }

    /** Whether there is no page. */
    public boolean isEmpty() {
        return pages.length == 0;
    }

    /** Has one page, in place of all that there were. */
    public void begin(P first) {
        clear();
        first.views(views);
        pages = Arrays.copyOf(TablePages.<P>none(), 1);
        pages[0] = first;
    }

    /** Forgets all pages. */
    public void clear() {
        pages = none();
        bits = 0;
    }

    /** Of the page for a number, if there is any page. */
    public int indexOf(long number) {
        return bits == 0 ? 0 : (int) (hash(number) >>> Long.SIZE - bits);
    }

    /** The page at an index, to be looked at only. */
    public P get(int index) {
        return itself(pages[index]);
    }

    /** A page that no view has. */
    public P writable(int index) {
        P page = get(index);
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
    public long split(int index) {
        int at = index;
        P page = get(at);
        if (page.depth == bits) {
            Page<P>[] doubled = Arrays.copyOf(pages, 2 * pages.length);
            for (int i = 0; i < doubled.length; i++) {
                doubled[i] = pages[i / 2];
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
        int count = 1 << bits - pages[index].depth;
        int from = index & -count;
        for (int i = 0; i < count; i++) {
            pages[from + i] = 2 * i < count ? lower : upper;
        }
    }

    /** Places of pages; some pages have several. */
    public int places() {
        return pages.length;
    }

    /** There are as many places as so many bits make, once there is a page. */
    public int bits() {
        return bits;
    }

    /** Where the page at a place has its last one. */
    public int lastPlaceOf(int place) {
        return place | (1 << bits - pages[place].depth) - 1;
    }

    /** Shows each page once. */
    public void forEach(Consumer<P> action) {
        for (int i = 0; i < pages.length; i = lastPlaceOf(i) + 1) {
            action.accept(get(i));
        }
    }

    /** As it is now. Any one thread. */
    public TablePages<P> view() {
        TablePages<P> view = new TablePages<>();
        if (!isEmpty()) {
            view.pages = pages.clone();
            view.bits = bits;
            views++;
        }
        return view;
    }

    @SuppressWarnings("unchecked") // each page is a P
    private P itself(Page<P> page) {
        return (P) page;
    }

    @SuppressWarnings("unchecked") // there is nothing in it
    private static <P extends Page<P>> Page<P>[] none() {
        return (Page<P>[]) NONE;
    }

    /**
     * Decides about the page. Pages of successive numbers must not fill at the same pace, or all would be split at
     * once: hence twice, unlike {@link Page#home}.
     */
    private static long hash(long number) {
        long spread = number * SPREAD;
        return (spread ^ spread >>> Integer.SIZE) * SPREAD;
    }
}
