package dev.avocet.core.queue.ranked;

import dev.avocet.core.queue.reference.TablePages;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Entries by their numbers. Those that are in flight and not stored, which come and go with each message, stand in an
 * {@link InFlightRing}; all others in pages. Home loop.
 */
public final class EntryTable {
    private static final int KEPT_PAGES = 4;

    private final TablePages<EntryPage> pages;
    private final InFlightRing ring = new InFlightRing();
    /** Of those in the pages. */
    private int size;

    /** Where an entry stands. */
    enum Place {
        NOWHERE,
        RING,
        PAGES
    }

    /** Empty; the queue's dispatch owns it. */
    public EntryTable() {
        this(new TablePages<>(), 0);
    }

    private EntryTable(TablePages<EntryPage> pages, int size) {
        this.pages = pages;
        this.size = size;
    }

    /** How many entries stand in it. */
    public int size() {
        return size + ring.size();
    }

    /** Puts an entry where it is found, if it is not there already. */
    public void put(QueueEntry entry) {
        if (entry.state == QueueEntry.State.IN_FLIGHT && entry.tablePlace == Place.NOWHERE && ring.isFor(entry)) {
            entry.tablePlace = Place.RING;
            while (!ring.add(entry)) {
                putIntoPages(ring.takeOldest());
            }
        } else if (entry.state != QueueEntry.State.IN_FLIGHT && entry.tablePlace == Place.RING) {
            ring.remove(entry);
            putIntoPages(entry);
        } else if (entry.tablePlace == Place.NOWHERE) {
            putIntoPages(entry);
        }
    }

    private void putIntoPages(QueueEntry entry) {
        entry.tablePlace = Place.PAGES;
        if (pages.isEmpty()) {
            pages.begin(new EntryPage());
        }
        EntryPage page = pages.writable(pages.indexOf(entry.number));
        while (page.isFull()) {
            pages.split(pages.indexOf(entry.number));
            page = pages.get(pages.indexOf(entry.number));
        }
        size += page.put(entry) ? 1 : 0;
    }

    /** The entry of a number; null when there is none. */
    public @Nullable QueueEntry get(long number) {
        QueueEntry found = number < 0 ? ring.get(number) : null;
        return found == null ? inPages(number) : found;
    }

    private @Nullable QueueEntry inPages(long number) {
        return size == 0 ? null : pages.get(pages.indexOf(number)).get(number);
    }

    /** Takes an entry away, if it is there. */
    public void remove(QueueEntry entry) {
        if (entry.tablePlace == Place.RING && ring.get(entry.number) == entry) {
            ring.remove(entry);
        } else if (entry.tablePlace == Place.PAGES && inPages(entry.number) == entry) {
            removeFromPages(entry);
        }
        entry.tablePlace = Place.NOWHERE;
    }

    private void removeFromPages(QueueEntry entry) {
        size--;
        if (size == 0 && pages.places() > KEPT_PAGES) {
            clearPages();
            return;
        }
        pages.writable(pages.indexOf(entry.number)).remove(entry);
    }

    /** Forgets all entries, which are over. */
    public void clear() {
        ring.clear();
        clearPages();
    }

    private void clearPages() {
        pages.clear();
        size = 0;
    }

    /**
     * Those that are there now, without what is in flight and not stored; what is known of each may change. Takes the
     * time of a list of the pages.
     */
    public EntryTable view() {
        return new EntryTable(pages.view(), size);
    }

    /**
     * A walk through all but what is in flight and not stored, a page at a time. It comes to everything that is there
     * from its begin to its end, whatever comes and goes meanwhile.
     */
    public Walk walk() {
        return new Walk(pages);
    }

    /** How far a walk has come: by the first bits of the hashes. */
    public static final class Walk {
        private final TablePages<EntryPage> pages;
        private int place;
        private int bits;

        private Walk(TablePages<EntryPage> pages) {
            this.pages = pages;
            this.bits = pages.bits();
        }

        /** True when every entry was shown. */
        public boolean isOver() {
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
        public void forEach(int most, Consumer<QueueEntry> action) {
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
