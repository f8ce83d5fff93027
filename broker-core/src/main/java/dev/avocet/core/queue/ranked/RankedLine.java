package dev.avocet.core.queue.ranked;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.reference.HeapTally;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.reference.ReferenceView;
import dev.avocet.core.queue.transit.DeliverySource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a queue by name with one priority: chunks, in the order in which the messages came; one that comes back
 * takes its place again. Chunks grow with the line: one that is nearly empty is small, and many queues are. Home loop.
 */
public final class RankedLine {
    private static final int KEPT_CAPACITY = 64;
    /** Two chunks become one when they fill it by this much at the most. */
    private static final int MERGED_MAX = RankedChunk.MAX_CAPACITY * 2 / 3;

    /** Chunks that were read back and stay until others are. */
    private static final int THAWED_MAX = 4;
    /** What comes next stays on the heap. */
    private static final int FIRST_FROZEN = 2;

    private static final int FROZEN_PER_CHUNK = 4;

    /** In place of a place. */
    static final long NOWHERE = -1;

    private final int priority;
    /** How all are delivered that have no options of their own. */
    private final @Nullable DeliveryOptions plain;

    private final List<RankedChunk> chunks = new ArrayList<>(1);
    private final HeapTally heap;
    private int size;
    private int stored;
    /** Grows whenever one has come back: who looks through the line has to begin anew. */
    private long disturbances;

    private int lastFound;

    private final Supplier<@Nullable ReferencePages> pages;
    private final Deque<RankedChunk> thawed = new ArrayDeque<>(0);
    private int sweptTo;

    /** @param pages for what the heap has no room for; null where there is no file */
    RankedLine(
            int priority, @Nullable DeliveryOptions plain, HeapTally heap, Supplier<@Nullable ReferencePages> pages) {
        this.pages = pages;
        this.priority = priority;
        this.plain = plain;
        this.heap = heap;
    }

    /** Whether nothing waits here. */
    public boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Those that the store has. */
    int stored() {
        return stored;
    }

    long disturbances() {
        return disturbances;
    }

    int priority() {
        return priority;
    }

    @Nullable DeliveryOptions plain() {
        return plain;
    }

    /** How many chunks it has. */
    public int chunks() {
        return chunks.size();
    }

    /** A chunk with its columns. */
    public RankedChunk chunk(int index) {
        RankedChunk chunk = chunks.get(index);
        if (chunk.isFrozen()) {
            thaw(chunk);
        }
        return chunk;
    }

    /** A chunk of which only what is true of all of it may be asked: its columns may lie in a file. */
    public RankedChunk peek(int index) {
        return chunks.get(index);
    }

    /** Those that were read back longest ago lie in the file again when others are. */
    private void thaw(RankedChunk chunk) {
        long before = chunk.heapBytes();
        chunk.thaw();
        heap.add(chunk.heapBytes() - before);
        thawed.remove(chunk); // it may have gone to the file since
        RankedChunk oldest = thawed.size() >= THAWED_MAX ? thawed.poll() : null;
        thawed.add(chunk);
        if (oldest != null && !freeze(oldest)) {
            thawed.add(oldest);
        }
    }

    /** A queue has grown by a chunk: if the heap has no room for it, others go to the file. */
    private void freezeSome() {
        ReferencePages into = pages.get();
        if (into == null || !into.isWanted()) {
            return;
        }
        int newest = chunks.size() - 2;
        sweptTo = sweptTo < FIRST_FROZEN || sweptTo > newest ? newest : sweptTo;
        if (newest >= FIRST_FROZEN) {
            freeze(chunks.get(newest));
        }
        for (int i = 0; i < FROZEN_PER_CHUNK && sweptTo >= FIRST_FROZEN; i++) {
            freeze(chunks.get(sweptTo));
            sweptTo--;
        }
    }

    private boolean freeze(RankedChunk chunk) {
        ReferencePages into = pages.get();
        long before = chunk.heapBytes();
        if (into != null) {
            chunk.freeze(into);
        }
        heap.add(chunk.heapBytes() - before);
        return chunk.isFrozen();
    }

    /** The first chunk with something behind an order, or {@link #chunks} when there is none. */
    public int chunkAfter(long order) {
        int high = chunks.size();
        if (high == 0 || chunks.get(0).lastOrder() > order) {
            return 0;
        }
        int low = 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (chunks.get(middle).lastOrder() > order) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Adds a reference in its order. */
    void add(long number, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions its, long order) {
        int at = place(number, order);
        RankedChunk chunk = chunk(at);
        long before = chunk.heapBytes();
        chunk.add(number, position, storedBytes, deadlineNs, its, order);
        grown(chunk, before, number);
    }

    /** Adds an entry in its order; it is kept itself only if the columns cannot tell all of it. */
    void add(QueueEntry entry, @Nullable DeliveryOptions its) {
        boolean atEnd = chunkAfter(entry.order - 1) == chunks.size();
        int at = atEnd ? place(entry.number, entry.order) : placeBetween(entry.number, entry.order);
        RankedChunk chunk = chunk(at);
        long before = chunk.heapBytes();
        int index = atEnd
                ? chunk.add(entry.number, entry.position, entry.storedBytes, entry.deadlineNs, its, entry.order)
                : chunk.insert(entry.number, entry.position, entry.storedBytes, entry.deadlineNs, its, entry.order);
        boolean isBack = entry.arrival != entry.order;
        if (isBack || entry.redelivered) {
            chunk.arrival(index, entry.arrival, entry.redelivered);
        }
        if (!entry.isPlain()) {
            chunk.entry(index, entry);
        }
        grown(chunk, before, entry.number);
        disturbances += isBack ? 1 : 0;
    }

    private void grown(RankedChunk chunk, long before, long number) {
        size++;
        stored += number > DeliverySource.NOT_STORED ? 1 : 0;
        heap.add(chunk.heapBytes() - before);
    }

    /** Replaces the entry of one that waits. */
    void entry(int at, int index, @Nullable QueueEntry entry) {
        RankedChunk chunk = chunk(at);
        long before = chunk.heapBytes();
        chunk.entry(index, entry);
        heap.add(chunk.heapBytes() - before);
    }

    void remove(int at, int index) {
        RankedChunk chunk = chunk(at);
        long before = chunk.heapBytes();
        stored -= chunk.number(index) > DeliverySource.NOT_STORED ? 1 : 0;
        chunk.remove(index);
        heap.add(chunk.heapBytes() - before);
        size--;
        if (chunk.live() == 0) {
            if (chunks.size() > 1 || chunk.capacity() > KEPT_CAPACITY || !chunk.reset()) {
                drop(at);
            }
        } else if (chunk.isSparse(at == 0, at == chunks.size() - 1)) {
            compact(at);
        }
    }

    /** Where an order stands: the chunk and the index, or {@link #NOWHERE}. */
    long locate(long order) {
        int at = chunkAfter(order - 1);
        int index = at == chunks.size() ? -1 : chunk(at).indexOf(order);
        return index < 0 ? NOWHERE : placeOf(at, index);
    }

    /** Where a number stands. Who asks for several asks for neighbours. */
    long find(long number) {
        if (number < DeliverySource.NOT_STORED) {
            return findUnstored(number);
        }
        int count = chunks.size();
        for (int i = lastFound; i < Math.min(count, lastFound + 2); i++) {
            int index = peek(i).mayHold(number) ? chunk(i).find(number) : -1;
            if (index >= 0) {
                lastFound = i;
                return placeOf(i, index);
            }
        }
        for (int i = 0; i < count; i++) {
            int index = peek(i).mayHold(number) ? chunk(i).find(number) : -1;
            if (index >= 0) {
                lastFound = i;
                return placeOf(i, index);
            }
        }
        return NOWHERE;
    }

    /** Of a message in memory only the entry has the number. */
    private long findUnstored(long number) {
        int count = stored == size ? 0 : chunks.size();
        int first = lastFound < count ? lastFound : 0;
        for (int i = 0; i < count; i++) {
            int at = (first + i) % count;
            RankedChunk chunk = peek(at);
            for (int index = chunk.head(); chunk.hasEntries() && index < chunk.tail(); index++) {
                QueueEntry entry = chunk.entry(index);
                if (entry != null && entry.number == number) {
                    lastFound = at;
                    return placeOf(at, index);
                }
            }
        }
        return NOWHERE;
    }

    static int chunkOf(long place) {
        return (int) (place >>> Integer.SIZE);
    }

    static int indexOf(long place) {
        return (int) place;
    }

    static long placeOf(int chunk, int index) {
        return (long) chunk << Integer.SIZE | index;
    }

    void addViewsTo(List<ReferenceView> views, long from, long until) {
        for (RankedChunk chunk : chunks) {
            if (chunk.live() > 0 && chunk.mayLieIn(from, until)) {
                views.add(chunk.view(plain));
            }
        }
    }

    /** Takes all chunks away. */
    List<RankedChunk> takeChunks() {
        List<RankedChunk> all = List.copyOf(chunks);
        chunks.clear();
        thawed.clear();
        size = 0;
        stored = 0;
        return all;
    }

    private RankedChunk last() {
        return chunks.get(chunks.size() - 1);
    }

    /** A chunk at the end with room. */
    private int place(long number, long order) {
        RankedChunk last = chunks.isEmpty() ? null : last();
        if (last == null || !last.hasRoomAtEnd() || !last.fits(number, order)) {
            int capacity = last == null ? RankedChunk.MIN_CAPACITY : last.capacity() * 2;
            put(chunks.size(), new RankedChunk(bounded(capacity)));
            freezeSome();
        }
        return chunks.size() - 1;
    }

    /** A chunk with room where an order belongs that is not the greatest. */
    private int placeBetween(long number, long order) {
        int at = chunkAfter(order - 1);
        RankedChunk chunk = chunk(at);
        if (!chunk.fits(number, order)) {
            splitAt(at, chunk.firstAfter(order));
            at = chunkAfter(order - 1);
            put(at, new RankedChunk(RankedChunk.MIN_CAPACITY));
            return at;
        }
        if (!chunk.isFull() || chunk.hasGap(order)) {
            return at;
        }
        if (chunk.capacity() < RankedChunk.MAX_CAPACITY) {
            RankedChunk larger = new RankedChunk(bounded(chunk.capacity() * 2));
            chunk.copyTo(chunk.head(), chunk.tail(), larger);
            drop(at);
            put(at, larger);
            return at;
        }
        splitAt(at, chunk.tail() / 2);
        at = chunkAfter(order - 1);
        return at == chunks.size() ? at - 1 : at;
    }

    /** Makes two of a chunk, unless one would be empty. */
    private void splitAt(int at, int index) {
        RankedChunk chunk = chunk(at);
        RankedChunk lower = new RankedChunk(bounded(chunk.capacity()));
        RankedChunk upper = new RankedChunk(bounded(chunk.capacity()));
        chunk.copyTo(chunk.head(), index, lower);
        chunk.copyTo(index, chunk.tail(), upper);
        drop(at);
        if (upper.live() > 0) {
            put(at, upper);
        }
        if (lower.live() > 0) {
            put(at, lower);
        }
    }

    /** Closes the gaps of a chunk, with the next one if both are small. */
    private void compact(int at) {
        RankedChunk chunk = chunk(at);
        RankedChunk next = at + 1 < chunks.size() ? peek(at + 1) : null;
        boolean both = next != null && !next.isFrozen() && chunk.live() + next.live() <= MERGED_MAX && chunk.fits(next);
        RankedChunk packed = new RankedChunk(bounded(chunk.live() + (both && next != null ? next.live() : 0)));
        chunk.copyTo(chunk.head(), chunk.tail(), packed);
        if (both && next != null && packed.fits(next)) {
            next.copyTo(next.head(), next.tail(), packed);
            drop(at + 1);
        }
        drop(at);
        put(at, packed);
    }

    private void put(int at, RankedChunk chunk) {
        chunks.add(at, chunk);
        heap.add(chunk.heapBytes());
    }

    private void drop(int at) {
        RankedChunk chunk = chunks.remove(at);
        chunk.dropPage();
        thawed.remove(chunk);
        heap.add(-chunk.heapBytes());
    }

    private static int bounded(int capacity) {
        return Math.max(RankedChunk.MIN_CAPACITY, Math.min(RankedChunk.MAX_CAPACITY, capacity));
    }
}
