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
final class ReferenceChunk extends ReferenceColumns {
    static final int MAX_CAPACITY = 1024;
    static final int MIN_CAPACITY = 8;
    private static final int OBJECT_BYTES = 208;

    private final HeapTally heap;
    /** Messages that may stay in memory until they are delivered. */
    private @Nullable Message @Nullable [] kept;
    /** Messages that are here because their turn comes soon. */
    private @Nullable Message @Nullable [] ahead;

    private int keptCount;
    private int aheadCount;

    private boolean viewed;
    private boolean positionsViewed;
    /** Messages are being read back for entries of this chunk, which therefore stay where they are. */
    private boolean reading;

    private boolean released;

    private @Nullable ReferenceChunk next;

    /** @param heap hears of what the chunk takes, until its {@link #release} */
    ReferenceChunk(int capacity, HeapTally heap) {
        super(capacity);
        this.heap = heap;
        heap.add(heapBytes());
    }

    /** No reader uses it any longer. */
    void release() {
        heap.add(-heapBytes());
        released = true;
    }

    boolean isReleased() {
        return released;
    }

    private long heapBytes() {
        int perSlot = bytesPerSlot() + (kept == null ? 0 : Integer.BYTES) + (ahead == null ? 0 : Integer.BYTES);
        return OBJECT_BYTES + (long) perSlot * numbers.length;
    }

    /** A column was made, with so much for each entry; or given up. */
    private void resized(int bytes) {
        heap.add((long) bytes * numbers.length);
    }

    @Override
    void columnMade(int bytes) {
        resized(bytes);
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
        setNumber(index, number, position);
        setDeadline(index, deadlineNs);
        setOptions(index, entryOptions);
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

    /** Begins anew with the same arrays; false when a reader still looks at them. */
    boolean reset() {
        assert isEmpty() : "reset with entries";
        if (viewed || reading) {
            return false;
        }
        if (options != null) {
            Arrays.fill(options, 0, tail, null);
        }
        forget();
        return true;
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

    /** Shows the entries as they are now to threads that look later. */
    ChunkView view() {
        viewed = true;
        positionsViewed = true;
        return viewOfColumns(null);
    }
}
