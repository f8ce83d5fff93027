package dev.avocet.core.queue;

import static dev.avocet.core.queue.DeliverySource.NOT_STORED;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Some references of a line, next to each other, in arrays of primitives: 16 bytes each, and 4 more in a chunk that has
 * a message in memory, 8 in one with a deadline, 4 in one with delivery options.
 *
 * <p>An entry is written once, at the end, and taken at the front by moving a mark on; so a {@link ChunkView} shares
 * the arrays instead of copying them. Only positions change, on arrays that no view knows. Home loop.
 */
final class ReferenceChunk {
    static final int MAX_CAPACITY = 1024;
    static final int MIN_CAPACITY = 8;
    /** In place of a number: the message is in memory only. */
    static final int UNSTORED = Integer.MIN_VALUE;

    private static final int OBJECT_BYTES = 208;

    private final HeapTally heap;
    private final int[] numbers;
    private long[] positions;
    private int[] sizes;
    private long @Nullable [] deadlinesNs;
    private @Nullable DeliveryOptions @Nullable [] options;
    /** Messages that may stay in memory until they are delivered. */
    private @Nullable Message @Nullable [] kept;
    /** Messages that are here because their turn comes soon. */
    private @Nullable Message @Nullable [] ahead;

    private int keptCount;
    private int aheadCount;

    private int head;
    private int tail;
    /** Numbers are differences to this one, which is the first. */
    private long base = NOT_STORED;

    private long leastNumber = Long.MAX_VALUE;
    private long greatestNumber = Long.MIN_VALUE;
    private long leastPosition = Long.MAX_VALUE;
    private long greatestPosition = Long.MIN_VALUE;
    private long earliestDeadlineNs = Message.NEVER;

    private boolean viewed;
    private boolean positionsViewed;
    /** Messages are being read back for entries of this chunk, which therefore stay where they are. */
    private boolean reading;

    private @Nullable ReferenceChunk next;

    /** @param heap hears of what the chunk takes, until its {@link #release} */
    ReferenceChunk(int capacity, HeapTally heap) {
        this.heap = heap;
        numbers = new int[capacity];
        positions = new long[capacity];
        sizes = new int[capacity];
        heap.add(heapBytes());
    }

    /** Nobody uses it any longer. */
    void release() {
        heap.add(-heapBytes());
    }

    private long heapBytes() {
        int perSlot = 2 * Integer.BYTES
                + Long.BYTES
                + (deadlinesNs == null ? 0 : Long.BYTES)
                + (options == null ? 0 : Integer.BYTES)
                + (kept == null ? 0 : Integer.BYTES)
                + (ahead == null ? 0 : Integer.BYTES);
        return OBJECT_BYTES + (long) perSlot * numbers.length;
    }

    /** A column was made, with so much for each entry; or given up. */
    private void resized(int bytes) {
        heap.add((long) bytes * numbers.length);
    }

    @Nullable ReferenceChunk next() {
        return next;
    }

    void next(@Nullable ReferenceChunk next) {
        this.next = next;
    }

    int capacity() {
        return numbers.length;
    }

    int head() {
        return head;
    }

    int tail() {
        return tail;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** True when an entry with this number can be added. */
    boolean fits(long number) {
        if (tail == numbers.length) {
            return false;
        }
        long difference = number - base;
        return number == NOT_STORED || base == NOT_STORED || ((int) difference == difference && difference != UNSTORED);
    }

    /**
     * Adds an entry at the end.
     *
     * @param sizeBytes what counts for the queue's limit; of a stored message what it takes in the store
     * @return its index
     */
    int add(long number, long position, int sizeBytes, long deadlineNs, @Nullable DeliveryOptions entryOptions) {
        int index = tail++;
        sizes[index] = sizeBytes;
        if (number == NOT_STORED) {
            numbers[index] = UNSTORED;
        } else {
            base = base == NOT_STORED ? number : base;
            numbers[index] = (int) (number - base);
            leastNumber = Math.min(leastNumber, number);
            greatestNumber = Math.max(greatestNumber, number);
            setPosition(index, position);
        }
        if (deadlineNs != Message.NEVER) {
            setDeadline(index, deadlineNs);
        } else if (deadlinesNs != null) {
            deadlinesNs[index] = Message.NEVER;
        }
        if (entryOptions != null) {
            setOptions(index, entryOptions);
        }
        return index;
    }

    /** Takes the entry at the front away, whose message has been {@linkplain #takeKept taken} if it was in memory. */
    void removeFirst() {
        head++;
    }

    /** Adds an entry of this chunk, with its message if that is in memory, to another. */
    void copyTo(int index, ReferenceChunk other) {
        int copy = other.add(number(index), positions[index], sizes[index], deadlineNs(index), options(index));
        Message keptMessage = takeKept(index);
        if (keptMessage != null) {
            other.keep(copy, keptMessage);
        }
        Message aheadMessage = takeAhead(index);
        if (aheadMessage != null) {
            other.keepAhead(copy, aheadMessage);
        }
    }

    /** Its entries stand elsewhere now. */
    void removeAll() {
        head = tail;
    }

    boolean hasKept() {
        return keptCount > 0;
    }

    boolean hasAhead() {
        return aheadCount > 0;
    }

    /** Begins anew with the same arrays; false when somebody still looks at them. */
    boolean reset() {
        assert isEmpty() : "reset with entries";
        if (viewed || reading) {
            return false;
        }
        if (options != null) {
            Arrays.fill(options, 0, tail, null);
        }
        head = 0;
        tail = 0;
        base = NOT_STORED;
        leastNumber = Long.MAX_VALUE;
        greatestNumber = Long.MIN_VALUE;
        leastPosition = Long.MAX_VALUE;
        greatestPosition = Long.MIN_VALUE;
        earliestDeadlineNs = Message.NEVER;
        return true;
    }

    boolean isStored(int index) {
        return numbers[index] != UNSTORED;
    }

    long number(int index) {
        return numbers[index] == UNSTORED ? NOT_STORED : base + numbers[index];
    }

    long position(int index) {
        return positions[index];
    }

    int sizeBytes(int index) {
        return sizes[index];
    }

    long deadlineNs(int index) {
        return deadlinesNs == null ? Message.NEVER : deadlinesNs[index];
    }

    @Nullable DeliveryOptions options(int index) {
        return options == null ? null : options[index];
    }

    /** The message, or null when it is on disk only. */
    @Nullable Message message(int index) {
        Message message = kept == null ? null : kept[index];
        return message != null || ahead == null ? message : ahead[index];
    }

    boolean isInMemory(int index) {
        return (kept != null && kept[index] != null) || (ahead != null && ahead[index] != null);
    }

    void keep(int index, Message message) {
        if (kept == null) {
            kept = new Message[numbers.length];
            resized(Integer.BYTES);
        }
        kept[index] = message;
        keptCount++;
    }

    /** Takes a kept message out of memory; null when it is not kept. */
    @Nullable Message takeKept(int index) {
        if (kept == null) {
            return null;
        }
        Message message = kept[index];
        if (message != null) {
            kept[index] = null;
            keptCount--;
            if (keptCount == 0 && tail == numbers.length) {
                kept = null;
                resized(-Integer.BYTES);
            }
        }
        return message;
    }

    void keepAhead(int index, Message message) {
        if (ahead == null) {
            ahead = new Message[numbers.length];
            resized(Integer.BYTES);
        }
        ahead[index] = message;
        aheadCount++;
    }

    /** Takes a message out of memory whose turn comes soon; null when it is not there. */
    @Nullable Message takeAhead(int index) {
        if (ahead == null) {
            return null;
        }
        Message message = ahead[index];
        if (message != null) {
            ahead[index] = null;
            aheadCount--;
            if (aheadCount == 0 && tail == numbers.length) {
                ahead = null;
                resized(-Integer.BYTES);
            }
        }
        return message;
    }

    boolean isReading() {
        return reading;
    }

    void reading(boolean nowReading) {
        reading = nowReading;
    }

    /** No entry has an earlier deadline. */
    long earliestDeadlineNs() {
        return earliestDeadlineNs;
    }

    /** The index of a number that waits here, or -1. */
    int find(long number) {
        if (number < leastNumber || number > greatestNumber || isEmpty()) {
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

    /** The message lies elsewhere now. */
    void move(int index, long newPosition, int storedBytes) {
        if (positionsViewed) {
            positions = positions.clone();
            sizes = sizes.clone();
            positionsViewed = false;
        }
        sizes[index] = storedBytes;
        setPosition(index, newPosition);
    }

    void forEachIn(long from, long until, ReferenceVisitor visitor) {
        if (until <= leastPosition || from > greatestPosition) {
            return;
        }
        for (int i = head; i < tail; i++) {
            if (isStored(i) && positions[i] >= from && positions[i] < until) {
                visitor.onReference(number(i), positions[i], sizes[i], deadlineNs(i), options(i));
            }
        }
    }

    /** Shows the entries as they are now to whoever looks later. */
    ChunkView view() {
        viewed = true;
        positionsViewed = true;
        return new ChunkView(base, numbers, positions, sizes, deadlinesNs, options, null, head, tail);
    }

    private void setPosition(int index, long position) {
        positions[index] = position;
        leastPosition = Math.min(leastPosition, position);
        greatestPosition = Math.max(greatestPosition, position);
    }

    private void setDeadline(int index, long deadlineNs) {
        if (deadlinesNs == null) {
            deadlinesNs = new long[numbers.length];
            resized(Long.BYTES);
            Arrays.fill(deadlinesNs, 0, index, Message.NEVER);
        }
        deadlinesNs[index] = deadlineNs;
        earliestDeadlineNs = Math.min(earliestDeadlineNs, deadlineNs);
    }

    private void setOptions(int index, DeliveryOptions of) {
        if (options == null) {
            options = new DeliveryOptions[numbers.length];
            resized(Integer.BYTES);
        }
        options[index] = of;
    }
}
