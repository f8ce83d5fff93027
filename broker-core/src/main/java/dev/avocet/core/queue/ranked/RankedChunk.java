package dev.avocet.core.queue.ranked;

import static dev.avocet.core.queue.transit.DeliverySource.NOT_STORED;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.ChunkView;
import dev.avocet.core.queue.reference.ColumnPage;
import dev.avocet.core.queue.reference.ReferenceColumns;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.reference.ReferenceView;
import org.jspecify.annotations.Nullable;

/**
 * Some messages of one priority that wait next to each other, in the order in which they came, in arrays of primitives:
 * 20 bytes each. A chunk with a deadline takes 8 more for each, one with delivery options 4, one with a message that
 * has come back 8, and one with a {@link QueueEntry} 4 beside the entry.
 *
 * <p>What waits in the middle may go before what waits in front of it: it leaves a gap, and what comes back takes its
 * place again. A {@link ChunkView} shares the arrays: what changes within its bounds is changed in a copy.
 *
 * <p>Home loop.
 */
public final class RankedChunk extends ReferenceColumns {
    static final int MAX_CAPACITY = 1024;
    static final int MIN_CAPACITY = 8;

    /** Two that are told as differences to a third one can be told as differences to each other. */
    private static final long MAX_DIFFERENCE = 1L << 29;

    private static final int OBJECT_BYTES = 240;
    /** An object of delivery options that belongs to one reference. */
    private static final int OPTIONS_BYTES = 72;
    /** Slots that may be lost to gaps however few there are. */
    private static final int GAPS_TOLERATED = 16;

    private static final int[] NO_INTS = {};

    private int[] orders;
    /** Of what has come back; negative when a receiver may have seen it, 0 where it is the order. */
    private long @Nullable [] arrivals;

    private @Nullable QueueEntry @Nullable [] entries;

    private int live;
    private int entryCount;
    private int optionCount;
    private long orderBase;
    private long latestArrival;
    private boolean viewed;

    RankedChunk(int capacity) {
        super(capacity);
        orders = new int[capacity];
    }

    /** Has the columns lie in a file only, if they can. */
    void freeze(ReferencePages into) {
        if (isFrozen() || live == 0 || entryCount > 0 || options != null || arrivals != null) {
            return;
        }
        freezeColumns(into, orders, orderBase);
        if (isFrozen()) {
            orders = NO_INTS;
            entries = null;
            viewed = false;
        }
    }

    /** Reads the columns back. */
    public void thaw() {
        ColumnPage.Columns columns = thawColumns();
        int[] itsOrders = columns == null ? null : columns.orders();
        if (itsOrders != null) {
            orders = itsOrders;
        }
    }

    int live() {
        return live;
    }

    /** What it takes of the heap, its entries included and their messages not. */
    long heapBytes() {
        int perSlot = Integer.BYTES + (arrivals == null ? 0 : Long.BYTES) + (entries == null ? 0 : Integer.BYTES);
        return OBJECT_BYTES
                + columnBytes()
                + (long) perSlot * numbers.length
                + (long) entryCount * QueueEntry.HEAP_BYTES
                + (long) optionCount * OPTIONS_BYTES;
    }

    boolean isFull() {
        return head == 0 && tail == capacity();
    }

    boolean hasRoomAtEnd() {
        return tail < capacity();
    }

    /** True when a number and an order can be told as differences here. */
    boolean fits(long number, long order) {
        if (tail == 0 && head == 0) {
            return true;
        }
        long numberDifference = number <= NOT_STORED || base == NOT_STORED ? 0 : number - base;
        return Math.abs(numberDifference) < MAX_DIFFERENCE && Math.abs(order - orderBase) < MAX_DIFFERENCE;
    }

    /** True when all of another chunk fits behind what is here. */
    boolean fits(RankedChunk other) {
        return other.leastNumber > other.greatestNumber
                || fits(other.leastNumber, other.firstOrder()) && fits(other.greatestNumber, other.lastOrder());
    }

    /** True when gaps take too much, in a chunk that has neighbours on both sides or only those that are told. */
    boolean isSparse(boolean isFirst, boolean isLast) {
        int used = (isLast ? tail : capacity()) - (isFirst ? head : 0);
        return used - live > Math.max(GAPS_TOLERATED, used / 3);
    }

    /** The least order, of one that is there or was. */
    long firstOrder() {
        ColumnPage page = page();
        return isFrozen() && page != null ? page.firstOrder() : orderBase + orders[head];
    }

    /** The greatest one; less than any when nothing was here. */
    public long lastOrder() {
        ColumnPage page = page();
        if (isFrozen() && page != null) {
            return page.lastOrder();
        }
        return tail == 0 ? Long.MIN_VALUE : orderBase + orders[tail - 1];
    }

    /** Adds at the end; returns the index. */
    int add(long number, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions its, long order) {
        if (head == 0 && tail == 0) {
            orderBase = order;
        }
        dropPage();
        int index = tail++;
        set(index, number, position, storedBytes, deadlineNs, its, order);
        return index;
    }

    /** True when one with this order was here and left a gap. */
    boolean hasGap(long order) {
        int index = firstAfter(order) - 1;
        return index >= head && order(index) == order && !isThere(index);
    }

    /** Adds where the order wants it, in a chunk that is not full or has a gap there; returns the index. */
    int insert(
            long number, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions its, long order) {
        own();
        orderBase = tail == 0 ? order : orderBase;
        int at = firstAfter(order);
        if (at > head && order(at - 1) == order) {
            at--;
        } else if (head > 0 && (tail == numbers.length || at - head < tail - at)) {
            shift(head, head - 1, at - head);
            head--;
            at--;
        } else {
            shift(at, at + 1, tail - at);
            tail++;
        }
        clear(at);
        set(at, number, position, storedBytes, deadlineNs, its, order);
        return at;
    }

    private void set(
            int index,
            long number,
            long position,
            int storedBytes,
            long deadlineNs,
            @Nullable DeliveryOptions its,
            long order) {
        live++;
        orders[index] = (int) (order - orderBase);
        sizes[index] = storedBytes;
        latestArrival = Math.max(latestArrival, order);
        setNumber(index, number, position);
        setDeadline(index, deadlineNs);
        setOptions(index, its);
        optionCount += its == null ? 0 : 1;
    }

    /** Notes when one that has come back did so. */
    void arrival(int index, long arrival, boolean maybeSeen) {
        if (arrivals == null) {
            arrivals = new long[numbers.length];
        }
        arrivals[index] = maybeSeen ? -arrival : arrival;
        latestArrival = Math.max(latestArrival, arrival);
    }

    /** Takes one away. */
    void remove(int index) {
        entry(index, null);
        live--;
        if (index == head) {
            dropOptions(index);
            head = next(index + 1);
        } else {
            own();
            dropOptions(index);
            numbers[index] = UNSTORED;
        }
    }

    private void dropOptions(int index) {
        if (options != null && options[index] != null) {
            optionCount--;
            if (!viewed) {
                options[index] = null;
            }
        }
    }

    /** Begins anew with the same arrays; false when that is not worth it, or a reader still looks at them. */
    boolean reset() {
        dropPage();
        if (viewed || deadlinesNs != null || options != null || arrivals != null) {
            return false;
        }
        forget();
        latestArrival = 0;
        return true;
    }

    /** Adds what lies between two indexes to the end of another chunk, which has room for it. */
    void copyTo(int from, int toExclusive, RankedChunk target) {
        for (int i = next(from); i < toExclusive; i = next(i + 1)) {
            int copy = target.add(number(i), positions[i], sizes[i], deadlineNs(i), options(i), order(i));
            if (arrivals != null && arrivals[i] != 0) {
                target.arrival(copy, Math.abs(arrivals[i]), arrivals[i] < 0);
            }
            target.entry(copy, entry(i));
        }
    }

    /** The first from an index on that is there, or {@link #tail}. */
    public int next(int from) {
        int i = Math.max(from, head);
        while (i < tail && !isThere(i)) {
            i++;
        }
        return Math.min(i, tail);
    }

    private boolean isThere(int index) {
        return numbers[index] != UNSTORED || (entries != null && entries[index] != null);
    }

    /** The first index behind an order; {@link #tail} when there is none. */
    public int firstAfter(long order) {
        if (head == tail || order < firstOrder()) {
            return head;
        }
        long wanted = order - orderBase;
        int low = head;
        int high = tail;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (orders[middle] <= wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Where an order stands, or -1. */
    int indexOf(long order) {
        int index = firstAfter(order) - 1;
        return index >= head && order(index) == order && isThere(index) ? index : -1;
    }

    /** By which the reference at an index stands in its line. */
    public long order(int index) {
        return orderBase + orders[index];
    }

    /** When it became available last. */
    long arrival(int index) {
        return arrivals == null || arrivals[index] == 0 ? order(index) : Math.abs(arrivals[index]);
    }

    boolean isMaybeSeen(int index) {
        return arrivals != null && arrivals[index] < 0;
    }

    /** None that waits here became available later. */
    long latestArrival() {
        return latestArrival;
    }

    /** Looks anew for the earliest deadline, as some have gone. */
    public long refreshEarliestDeadline() {
        long earliest = Message.NEVER;
        for (int i = next(head); i < tail; i = next(i + 1)) {
            earliest = Math.min(earliest, deadlineNs(i));
        }
        earliestDeadlineNs(earliest);
        return earliest;
    }

    /** Whether the time of the reference at an index is over. */
    public boolean hasExpired(int index, long nowNs) {
        return deadlinesNs != null && deadlinesNs[index] != Message.NEVER && nowNs - deadlinesNs[index] >= 0;
    }

    /** Null where the columns tell all of it. */
    public @Nullable QueueEntry entry(int index) {
        return entries == null ? null : entries[index];
    }

    void entry(int index, @Nullable QueueEntry entry) {
        if (entries == null) {
            if (entry == null) {
                return;
            }
            entries = new QueueEntry[numbers.length];
        }
        entryCount += (entry == null ? 0 : 1) - (entries[index] == null ? 0 : 1);
        entries[index] = entry;
        if (entryCount == 0 && tail == numbers.length) {
            entries = null;
        }
    }

    /** Whether there is more than a reference for any of them. */
    public boolean hasEntries() {
        return entryCount > 0;
    }

    /** True when its message is on disk only. */
    boolean isAbsent(int index) {
        QueueEntry entry = entry(index);
        return entry == null || entry.isAbsent();
    }

    /** The message lies elsewhere now. */
    public void move(int index, long newPosition, int storedBytes) {
        own();
        sizes[index] = storedBytes;
        setPosition(index, newPosition);
    }

    /** Shows what waits here now to threads that look later. */
    ReferenceView view(@Nullable DeliveryOptions plain) {
        ReferenceView paged = viewOfPage(plain);
        if (paged != null) {
            return paged;
        }
        viewed = true;
        return viewOfColumns(plain);
    }

    /** From here on no other reader looks at the arrays, and they are not what the file says. */
    private void own() {
        dropPage();
        if (viewed) {
            numbers = numbers.clone();
            positions = positions.clone();
            sizes = sizes.clone();
            deadlinesNs = deadlinesNs == null ? null : deadlinesNs.clone();
            options = options == null ? null : options.clone();
            viewed = false;
        }
    }

    private void shift(int from, int to, int count) {
        System.arraycopy(numbers, from, numbers, to, count);
        System.arraycopy(positions, from, positions, to, count);
        System.arraycopy(sizes, from, sizes, to, count);
        System.arraycopy(orders, from, orders, to, count);
        if (deadlinesNs != null) {
            System.arraycopy(deadlinesNs, from, deadlinesNs, to, count);
        }
        if (options != null) {
            System.arraycopy(options, from, options, to, count);
        }
        if (arrivals != null) {
            System.arraycopy(arrivals, from, arrivals, to, count);
        }
        if (entries != null) {
            System.arraycopy(entries, from, entries, to, count);
        }
    }

    private void clear(int index) {
        if (deadlinesNs != null) {
            deadlinesNs[index] = Message.NEVER;
        }
        if (options != null) {
            options[index] = null;
        }
        if (arrivals != null) {
            arrivals[index] = 0;
        }
        if (entries != null) {
            entries[index] = null;
        }
    }
}
