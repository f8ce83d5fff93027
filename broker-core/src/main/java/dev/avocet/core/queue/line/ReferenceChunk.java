package dev.avocet.core.queue.line;

import static dev.avocet.core.queue.transit.DeliverySource.NOT_STORED;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.ChunkView;
import dev.avocet.core.queue.reference.ColumnPage;
import dev.avocet.core.queue.reference.HeapTally;
import dev.avocet.core.queue.reference.ReferenceColumns;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.reference.ReferenceView;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Some references of a line, next to each other, in arrays of primitives: 16 bytes each, and 4 more in a chunk that has
 * a message in memory, 8 in one with a deadline, 4 in one with delivery options. Its columns may lie in a file instead.
 *
 * <p>An entry is written once, at the end, and taken at the front by moving a mark on; so a {@link ChunkView} shares
 * the arrays instead of copying them. Only positions and messages change, on arrays that no view knows. Home loop.
 */
final class ReferenceChunk extends ReferenceColumns {
    static final int MAX_CAPACITY = 1024;
    static final int MIN_CAPACITY = 8;
    private static final int OBJECT_BYTES = 152;
    /** Of the arrays that every chunk has on the heap whose columns are there. */
    private static final int ARRAYS_BYTES = 48;
    /** Smaller ones stay on the heap: their places in the file and what is known of them take as much. */
    static final int MIN_FROZEN_CAPACITY = 32;

    private final HeapTally heap;
    /** Messages that may stay in memory until they are delivered. */
    private @Nullable Message @Nullable [] kept;
    /** Messages that are here because their turn comes soon. */
    private @Nullable Message @Nullable [] ahead;

    private int keptCount;
    private int aheadCount;

    private boolean viewed;
    private boolean positionsViewed;
    private boolean keptViewed;
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

    /** The line uses it no longer. What the file has of it is to be {@linkplain #forgetPage forgotten} as well. */
    void release() {
        heap.add(-heapBytes());
        released = true;
    }

    boolean isReleased() {
        return released;
    }

    private long heapBytes() {
        int perSlot = (kept == null ? 0 : Integer.BYTES) + (ahead == null ? 0 : Integer.BYTES);
        return OBJECT_BYTES
                + columnBytes()
                + (long) perSlot * capacity()
                + (isFrozen() ? 0 : ARRAYS_BYTES)
                + (page() == null ? 0 : ColumnPage.HEAP_BYTES);
    }

    /** A column was made, with so much for each entry; or given up. */
    private void resized(int bytes) {
        changed((long) bytes * capacity());
    }

    private void changed(long bytes) {
        if (!released) {
            heap.add(bytes);
        }
    }

    /** Has the columns lie in a file only, if no message of them is here or on its way, and if that is worth it. */
    void freeze(ReferencePages into) {
        boolean busy = keptCount > 0 || aheadCount > 0 || reading;
        if (isFrozen() || isEmpty() || busy || released || capacity() < MIN_FROZEN_CAPACITY) {
            return;
        }
        long before = heapBytes();
        freezeColumns(into, null, 0);
        if (isFrozen()) {
            kept = null;
            ahead = null;
            positionsViewed = false;
            viewed = viewed && options != null;
        }
        changed(heapBytes() - before);
    }

    /** Reads the columns back. */
    void thaw() {
        if (isFrozen()) {
            long before = heapBytes();
            ColumnPage.Columns unused = thawColumns();
            changed(heapBytes() - before);
        }
    }

    /** What the file has of it is not needed any longer. */
    void forgetPage() {
        if (page() != null) {
            long before = heapBytes();
            dropPage();
            changed(heapBytes() - before);
        }
    }

    @Override
    protected void columnMade(int bytes) {
        resized(bytes);
    }

    @Nullable ReferenceChunk next() {
        return next;
    }

    void next(@Nullable ReferenceChunk next) {
        this.next = next;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** True when an entry with this number can be added. */
    boolean fits(long number) {
        if (tail == capacity() || isFrozen()) {
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
        forgetPage();
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
            kept = new Message[capacity()];
            keptViewed = false;
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
            if (keptViewed) {
                kept = kept.clone();
                keptViewed = false;
            }
            kept[index] = null;
            keptCount--;
            if (keptCount == 0 && tail == capacity()) {
                kept = null;
                resized(-Integer.BYTES);
            }
        }
        return message;
    }

    void keepAhead(int index, Message message) {
        if (ahead == null) {
            ahead = new Message[capacity()];
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
            if (aheadCount == 0 && tail == capacity()) {
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
        forgetPage();
        if (positionsViewed) {
            positions = positions.clone();
            sizes = sizes.clone();
            positionsViewed = false;
        }
        sizes[index] = storedBytes;
        setPosition(index, newPosition);
    }

    /** Shows the messages in memory, of which there are some, as they are now to threads that look later. */
    ChunkMessages messages() {
        viewed = true;
        keptViewed = true;
        return new ChunkMessages(base, numbers, Objects.requireNonNull(kept), options, head, tail);
    }

    /** Shows the entries as they are now to threads that look later. */
    ReferenceView view() {
        viewed = true;
        ReferenceView paged = viewOfPage(null);
        if (paged != null) {
            return paged;
        }
        positionsViewed = true;
        return viewOfColumns(null);
    }
}
