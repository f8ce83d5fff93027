package dev.avocet.core.queue.line;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import dev.avocet.core.queue.reference.TablePages;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The references that consumers have and have not settled, by number. A search for a number gives a slot, which is
 * good until the next change. Home loop; a view is its taker's.
 */
final class InFlightReferences {
    private static final int KEPT_PAGES = 4;
    /** Some hundred references. */
    private static final int PAGES_PER_STEP = 4;

    private final TablePages<InFlightPage> pages;
    private int size;
    private long heapBytes;

    InFlightReferences() {
        this(new TablePages<>(), 0);
    }

    private InFlightReferences(TablePages<InFlightPage> pages, int size) {
        this.pages = pages;
        this.size = size;
    }

    int size() {
        return size;
    }

    /** What the table takes of the heap. */
    long heapBytes() {
        return heapBytes;
    }

    void add(long number, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions options) {
        if (pages.isEmpty()) {
            pages.begin(new InFlightPage());
            heapBytes = pages.get(0).heapBytes();
        }
        InFlightPage page = pages.writable(pages.indexOf(number));
        while (page.isFull()) {
            heapBytes += pages.split(pages.indexOf(number));
            page = pages.get(pages.indexOf(number));
        }
        long before = page.heapBytes();
        page.add(number, position, storedBytes, deadlineNs, options);
        heapBytes += page.heapBytes() - before;
        size++;
    }

    /** The slot of a number, or -1. */
    long find(long number) {
        if (size == 0) {
            return -1;
        }
        int index = pages.indexOf(number);
        int slot = pages.get(index).find(number);
        return slot < 0 ? -1 : (long) index << Integer.SIZE | slot;
    }

    long position(long slot) {
        return page(slot).position((int) slot);
    }

    int storedBytes(long slot) {
        return page(slot).storedBytes((int) slot);
    }

    long deadlineNs(long slot) {
        return page(slot).deadlineNs((int) slot);
    }

    @Nullable DeliveryOptions options(long slot) {
        return page(slot).options((int) slot);
    }

    /** Deliveries that have begun and failed, as the store knows. */
    int deliveryCount(long slot) {
        return DeliveryOptions.standingOf(options(slot)).deliveryCount();
    }

    void delivered(long slot, int count) {
        InFlightPage page = writable(slot);
        long before = page.heapBytes();
        page.options((int) slot, DeliveryOptions.delivered(page.options((int) slot), count));
        heapBytes += page.heapBytes() - before;
    }

    void move(long slot, long newPosition, int newStoredBytes) {
        writable(slot).move((int) slot, newPosition, newStoredBytes);
    }

    void remove(long slot) {
        size--;
        if (size == 0 && pages.places() > KEPT_PAGES) {
            clear();
            return;
        }
        writable(slot).remove((int) slot);
    }

    void clear() {
        pages.clear();
        size = 0;
        heapBytes = 0;
    }

    /** All as they are now. Takes the time of a list of the pages, however many references they have. */
    InFlightReferences view() {
        return new InFlightReferences(pages.view(), size);
    }

    /** Shows all in the order of their numbers. */
    void forEach(ReferenceVisitor visitor) {
        long[] numbers = new long[size];
        int[] count = {0};
        pages.forEach(page ->
                page.forEach((number, position, storedBytes, deadlineNs, options) -> numbers[count[0]++] = number));
        Arrays.sort(numbers);
        for (long number : numbers) {
            InFlightPage page = pages.get(pages.indexOf(number));
            page.show(page.find(number), visitor);
        }
    }

    /** Leaves this one empty. */
    InFlightReferences takeAll() {
        InFlightReferences all = view();
        clear();
        return all;
    }

    /** Places of pages; some pages have several. */
    int places() {
        return pages.places();
    }

    /** Shows where the messages of a page lie. Returns where its last place is. */
    int forEachPlace(int place, PlaceVisitor visitor) {
        pages.get(place)
                .forEach(
                        (number, position, storedBytes, deadlineNs, options) -> visitor.onPlace(position, storedBytes));
        return pages.lastPlaceOf(place);
    }

    /** Sees where messages lie. */
    @FunctionalInterface
    interface PlaceVisitor {
        void onPlace(long position, int storedBytes);
    }

    /** True when a reference is in flight and counts as delivered for the first time. */
    boolean isNotNoted(long reference) {
        long slot = find(reference);
        return slot >= 0 && deliveryCount(slot) == 0;
    }

    /** Those of the references that are in flight count as delivered once more. */
    void noteDelivered(long[] references, Noted noted) {
        for (long reference : references) {
            long slot = find(reference);
            if (slot >= 0) {
                int count = deliveryCount(slot) + 1;
                delivered(slot, count);
                noted.onDelivered(reference, count);
            }
        }
    }

    /** Shows some pages of a view at a time. */
    ReferenceSearch.Others walk() {
        int[] place = {0};
        return visitor -> {
            for (int left = PAGES_PER_STEP; left > 0 && place[0] < pages.places(); left--) {
                pages.get(place[0]).forEach(visitor);
                place[0] = pages.lastPlaceOf(place[0]) + 1;
            }
            return place[0] < pages.places();
        };
    }

    private InFlightPage page(long slot) {
        return pages.get((int) (slot >>> Integer.SIZE));
    }

    private InFlightPage writable(long slot) {
        return pages.writable((int) (slot >>> Integer.SIZE));
    }

    /** Hears of references that count as delivered once more. */
    @FunctionalInterface
    interface Noted {
        void onDelivered(long reference, int count);
    }
}
