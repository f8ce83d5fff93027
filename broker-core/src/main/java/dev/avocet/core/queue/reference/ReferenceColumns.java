package dev.avocet.core.queue.reference;

import static dev.avocet.core.queue.transit.DeliverySource.NOT_STORED;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.transit.DeliverySource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * References to messages that wait next to each other, in arrays of primitives: 16 bytes each. Deadlines and delivery
 * options are columns that only exist where a message has one. What both kinds of queue keep of a reference; beside it
 * a chunk of a subscription's line has messages in memory, a chunk of a queue by name an order with gaps.
 *
 * <p>Home loop of the queue, which owns the columns; a subclass changes them only there.
 */
public abstract class ReferenceColumns {
    /** In place of a number: the message is in memory only, or there is none. */
    public static final int UNSTORED = Integer.MIN_VALUE;

    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};

    private final int capacity;

    /** Differences to {@link #base}, or {@link #UNSTORED}. */
    protected int[] numbers;
    /** Where the messages lie in the store. */
    protected long[] positions;
    /** What counts for the queue's limit. */
    protected int[] sizes;
    /** Null while none of them expires. */
    protected long @Nullable [] deadlinesNs;

    /** Null while none of them has options of its own. */
    protected @Nullable DeliveryOptions @Nullable [] options;

    /** The index of the first one that waits. */
    protected int head;
    /** Behind the last one that waits. */
    protected int tail;
    /** Numbers are differences to this one, which is that of the first. */
    protected long base = NOT_STORED;

    /** No number that is here is less. */
    protected long leastNumber = Long.MAX_VALUE;
    /** No number that is here is greater. */
    protected long greatestNumber = Long.MIN_VALUE;

    private long leastPosition = Long.MAX_VALUE;
    private long greatestPosition = Long.MIN_VALUE;
    private long earliestDeadlineNs = Message.NEVER;
    /** Where the columns lie in a file, and are as they are here. */
    private @Nullable ColumnPage page;

    private @Nullable ReferencePages pages;
    private boolean frozen;

    /** @param capacity how many references there is room for, once and for all */
    protected ReferenceColumns(int capacity) {
        this.capacity = capacity;
        numbers = new int[capacity];
        positions = new long[capacity];
        sizes = new int[capacity];
    }

    /** How many references there is room for. */
    public final int capacity() {
        return capacity;
    }

    /** True while the columns lie in a file only: nothing can be asked for but what is true of the whole chunk. */
    public final boolean isFrozen() {
        return frozen;
    }

    /**
     * Has the columns lie in a file only, if they can be written. Options stay on the heap.
     *
     * @param orders the column that is not known here
     */
    protected final void freezeColumns(ReferencePages into, int @Nullable [] orders, long orderBase) {
        if (page == null) {
            ColumnPage.Columns columns = new ColumnPage.Columns(numbers, positions, sizes, orders, deadlinesNs);
            page = ColumnPage.write(into, columns, head, tail, orderBase);
            pages = into;
        }
        if (page != null) {
            frozen = true;
            numbers = NO_INTS;
            positions = NO_LONGS;
            sizes = NO_INTS;
            deadlinesNs = null;
        }
    }

    /** Reads the columns back; null when they are here. */
    protected final ColumnPage.@Nullable Columns thawColumns() {
        ColumnPage from = page;
        ReferencePages in = pages;
        if (!frozen || from == null || in == null) {
            return null;
        }
        ColumnPage.Columns columns = from.read(in, capacity);
        numbers = columns.numbers();
        positions = columns.positions();
        sizes = columns.sizes();
        deadlinesNs = columns.deadlinesNs();
        frozen = false;
        return columns;
    }

    /** The columns are not what the file says, or are not needed any longer. */
    public final void dropPage() {
        if (page != null && pages != null) {
            pages.free(page.page());
            page = null;
        }
    }

    /** Where the columns lie in a file; null when they lie here only. */
    protected final @Nullable ColumnPage page() {
        return page;
    }

    /** Shows what lies in the file to threads that look later; null when the columns are here. */
    protected final @Nullable ReferenceView viewOfPage(@Nullable DeliveryOptions plain) {
        ColumnPage from = page;
        ReferencePages in = pages;
        if (!frozen || from == null || in == null) {
            return null;
        }
        in.share(from.page());
        return new PagedView(in, from, base, head, options, plain);
    }

    /** The index of the first one that waits. */
    public final int head() {
        return head;
    }

    /** The index behind the last one that waits. */
    public final int tail() {
        return tail;
    }

    /** {@link DeliverySource#NOT_STORED} where the message is in memory only. */
    public final long number(int index) {
        return numbers[index] == UNSTORED ? NOT_STORED : base + numbers[index];
    }

    /** False where the message is in memory only. */
    public final boolean isStored(int index) {
        return numbers[index] != UNSTORED;
    }

    /** Where the message lies in the store. */
    public final long position(int index) {
        return positions[index];
    }

    /** What counts for the queue's limit; of a stored message what it takes in the store. */
    public final int sizeBytes(int index) {
        return sizes[index];
    }

    /** When the message expires; {@link Message#NEVER} when it does not. */
    public final long deadlineNs(int index) {
        return deadlinesNs == null ? Message.NEVER : deadlinesNs[index];
    }

    /** Null where the message is delivered as all others of its line are. */
    public final @Nullable DeliveryOptions options(int index) {
        return options == null ? null : options[index];
    }

    /** No reference that is here has an earlier deadline. */
    public final long earliestDeadlineNs() {
        return earliestDeadlineNs;
    }

    /** It was looked for anew, as some have gone. */
    protected final void earliestDeadlineNs(long earliest) {
        earliestDeadlineNs = earliest;
    }

    /** The index of a number that waits here, or -1. */
    public final int find(long number) {
        if (number < leastNumber || number > greatestNumber || head == tail) {
            return -1;
        }
        int sought = (int) (number - base);
        int guess = head + sought - numbers[head]; // mostly they come without a gap
        if (guess >= head && guess < tail && numbers[guess] == sought) {
            return guess;
        }
        for (int i = head; i < tail; i++) {
            if (numbers[i] == sought) {
                return i;
            }
        }
        return -1;
    }

    /** False when no message that is here lies at one of these positions. */
    public final boolean mayLieIn(long from, long until) {
        return until > leastPosition && from <= greatestPosition;
    }

    /** False when no message that is here has this number. */
    public final boolean mayHold(long number) {
        return number >= leastNumber && number <= greatestNumber;
    }

    /** No number that is here is less. */
    public final long leastNumber() {
        return leastNumber;
    }

    /** What the columns take of the heap. */
    protected final long columnBytes() {
        int perSlot = 2 * Integer.BYTES + Long.BYTES + (deadlinesNs == null ? 0 : Long.BYTES);
        return (long) perSlot * numbers.length + (options == null ? 0L : (long) Integer.BYTES * capacity);
    }

    /** The message of an index has a number and lies there, or has none and is in memory only. */
    protected final void setNumber(int index, long number, long position) {
        if (number <= NOT_STORED) {
            numbers[index] = UNSTORED;
        } else {
            base = base == NOT_STORED ? number : base;
            numbers[index] = (int) (number - base);
            leastNumber = Math.min(leastNumber, number);
            greatestNumber = Math.max(greatestNumber, number);
            setPosition(index, position);
        }
    }

    /** The message of an index lies elsewhere. */
    protected final void setPosition(int index, long position) {
        positions[index] = position;
        leastPosition = Math.min(leastPosition, position);
        greatestPosition = Math.max(greatestPosition, position);
    }

    /** The column is made for the first message that expires. */
    protected final void setDeadline(int index, long deadlineNs) {
        if (deadlineNs != Message.NEVER || deadlinesNs != null) {
            long[] present = deadlinesNs;
            if (present == null) {
                deadlinesNs = present = new long[capacity];
                Arrays.fill(present, Message.NEVER);
                columnMade(Long.BYTES);
            }
            present[index] = deadlineNs;
            earliestDeadlineNs = Math.min(earliestDeadlineNs, deadlineNs);
        }
    }

    /** The column is made for the first message that has options of its own. */
    protected final void setOptions(int index, @Nullable DeliveryOptions its) {
        if (its != null) {
            @Nullable DeliveryOptions[] present = options;
            if (present == null) {
                options = present = new DeliveryOptions[capacity];
                columnMade(Integer.BYTES);
            }
            present[index] = its;
        }
    }

    /** A column was made, with so much for each reference. */
    protected void columnMade(int bytes) {}

    /** Nothing is here any longer, and nothing was. */
    protected final void forget() {
        head = 0;
        tail = 0;
        base = NOT_STORED;
        leastNumber = Long.MAX_VALUE;
        greatestNumber = Long.MIN_VALUE;
        leastPosition = Long.MAX_VALUE;
        greatestPosition = Long.MIN_VALUE;
        earliestDeadlineNs = Message.NEVER;
    }

    /** Shows what is here now to threads that look later. */
    protected final ChunkView viewOfColumns(@Nullable DeliveryOptions plain) {
        return new ChunkView(base, numbers, positions, sizes, deadlinesNs, options, plain, head, tail);
    }
}
