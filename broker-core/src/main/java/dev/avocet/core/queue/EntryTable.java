package dev.avocet.core.queue;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Entries by their numbers. Home loop. */
final class EntryTable {
    private static final int KEPT_PAGES = 4;

    private final TablePages<EntryPage> pages;
    private int size;

    EntryTable() {
        this(new TablePages<>(), 0);
    }

    private EntryTable(TablePages<EntryPage> pages, int size) {
        this.pages = pages;
        this.size = size;
    }

    int size() {
        return size;
    }

    void put(QueueEntry entry) {
        if (pages.isEmpty()) {
            pages.begin(new EntryPage());
        }
        if (get(entry.number) == entry) {
            return;
        }
        EntryPage page = pages.writable(pages.indexOf(entry.number));
        while (page.isFull()) {
            pages.split(pages.indexOf(entry.number));
            page = pages.get(pages.indexOf(entry.number));
        }
        size += page.put(entry) ? 1 : 0;
    }

    @Nullable QueueEntry get(long number) {
        return size == 0 ? null : pages.get(pages.indexOf(number)).get(number);
    }

    /** Takes an entry away, if it is there. */
    void remove(QueueEntry entry) {
        if (get(entry.number) != entry) {
            return;
        }
        size--;
        if (size == 0 && pages.places() > KEPT_PAGES) {
            clear();
            return;
        }
        pages.writable(pages.indexOf(entry.number)).remove(entry);
    }

    void clear() {
        pages.clear();
        size = 0;
    }

    void forEach(Consumer<QueueEntry> action) {
        pages.forEach(page -> page.forEach(action));
    }

    /** Those that are there now; what is known of each may change. Takes the time of a list of the pages. */
    EntryTable view() {
        return new EntryTable(pages.view(), size);
    }

    /**
     * A walk through all, a page at a time. It comes to everything that is there from its begin to its end, whatever
     * comes and goes meanwhile.
     */
    Walk walk() {
        return new Walk(pages);
    }

    /** How far a walk has come: by the first bits of the hashes. */
    static final class Walk {
        private final TablePages<EntryPage> pages;
        private int place;
        private int bits;

        private Walk(TablePages<EntryPage> pages) {
            this.pages = pages;
            this.bits = pages.bits();
        }

        boolean isOver() {
            int grown = pages.bits() - bits;
            place = grown < 0 ? place >>> -grown : place << grown;
            bits = pages.bits();
            return place >= pages.places();
        }

        /**
         * Shows pages until so many entries, or as much work, were seen, or all.
         *
         * @param action leaves the table as it is
         */
        void forEach(int most, Consumer<QueueEntry> action) {
            int left = most;
            while (left > 0 && !isOver()) {
                EntryPage page = pages.get(place);
                page.forEach(action);
                left -= 1 + page.size();
                place = pages.lastPlaceOf(place) + 1;
            }
        }
    }
}
