package dev.avocet.core.queue.line;

import dev.avocet.core.queue.reference.HeapTally;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.reference.ReferenceView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a line, first to last. Chunks grow with the line: one that is nearly empty is small, and many queues
 * are. Where the heap has no room for them, the columns of chunks whose messages are on disk only lie in a file, and
 * are read back when they are wanted: one chunk for each 1,024 messages of a queue that is consumed. Home loop.
 */
final class ReferenceLine {
    private static final int KEPT_CAPACITY = 64;

    /** The last chunk stays on the heap: it is smaller where there is little room, unless the line has many. */
    private static final int SCARCE_CAPACITY = 256;

    private static final int SCARCE_CHUNKS = 32;
    private static final int FROZEN_PER_CHUNK = 4;
    /** Chunks that were read back and stay until others are. */
    private static final int THAWED_MAX = 2;

    private final HeapTally heap;
    private @Nullable ReferenceChunk first;
    private @Nullable ReferenceChunk last;
    private @Nullable ReferenceChunk lastFound;
    /** Since the line was empty. */
    private int chunksMade;
    /** Up to here chunks went to the file, as far as they could; null to begin with the first. */
    private @Nullable ReferenceChunk frozenTo;
    /** Null as long as none was. */
    private @Nullable Deque<ReferenceChunk> thawed;

    /** @param heap hears of what the chunks take */
    ReferenceLine(HeapTally heap) {
        this.heap = heap;
    }

    @Nullable ReferenceChunk firstChunk() {
        return first;
    }

    /** The chunk with the entry at the front of a line that has one. */
    ReferenceChunk front() {
        ReferenceChunk front = first;
        if (front == null || front.isEmpty()) {
            throw new IllegalStateException("line is empty");
        }
        thaw(front);
        return front;
    }

    /**
     * Reads the columns of a chunk of the line back, if they lie in the file. Those that were read back longest ago lie
     * there again when others are.
     */
    void thaw(ReferenceChunk chunk) {
        if (!chunk.isFrozen()) {
            return;
        }
        chunk.thaw();
        Deque<ReferenceChunk> present = thawed;
        if (present == null) {
            thawed = present = new ArrayDeque<>(THAWED_MAX + 1);
        }
        present.remove(chunk); // it may have gone to the file since
        ReferenceChunk oldest = present.size() >= THAWED_MAX ? present.poll() : null;
        present.add(chunk);
        ReferencePages pages = heap.pages();
        if (oldest != null && pages != null) {
            oldest.freeze(pages);
            if (!oldest.isFrozen()) {
                present.add(oldest);
            }
        }
    }

    /** The line has grown by a chunk: if the heap has no room for it, others go to the file. */
    private void freezeSome(@Nullable ReferenceChunk beforeLast) {
        ReferencePages pages = heap.wantedPages();
        if (pages == null) {
            return;
        }
        if (beforeLast != null) {
            beforeLast.freeze(pages);
        }
        ReferenceChunk next = frozenTo == null || frozenTo.isReleased() ? first : frozenTo.next();
        for (int i = 0; i < FROZEN_PER_CHUNK && next != null && next != last; i++) {
            next.freeze(pages);
            frozenTo = next;
            next = next.next();
        }
        if (next == null || next == last) {
            frozenTo = null;
        }
    }

    /**
     * Chunks were written anew: if the heap has no room for them, they go to the file.
     *
     * @param from null for the first one
     * @param untilExclusive null for none
     */
    void freezeBetween(@Nullable ReferenceChunk from, @Nullable ReferenceChunk untilExclusive) {
        ReferencePages pages = untilExclusive == null ? null : heap.wantedPages();
        ReferenceChunk next = from == null ? first : from;
        while (pages != null && next != null && next != untilExclusive) {
            next.freeze(pages);
            next = next.next();
        }
    }

    /** A chunk that no line has any longer is not needed by others either. */
    void release(ReferenceChunk chunk) {
        chunk.forgetPage();
        chunk.release();
        if (thawed != null) {
            thawed.remove(chunk);
        }
    }

    /** A chunk at the end where an entry with this number can be added. */
    ReferenceChunk back(long number) {
        ReferenceChunk back = last;
        if (back != null && back.fits(number)) {
            return back;
        }
        int capacity = back == null ? ReferenceChunk.MIN_CAPACITY : back.capacity() * 2;
        boolean scarce = ++chunksMade < SCARCE_CHUNKS && capacity > SCARCE_CAPACITY && heap.wantedPages() != null;
        int most = scarce ? SCARCE_CAPACITY : ReferenceChunk.MAX_CAPACITY;
        ReferenceChunk made = new ReferenceChunk(Math.max(ReferenceChunk.MIN_CAPACITY, Math.min(most, capacity)), heap);
        link(made);
        freezeSome(back);
        return made;
    }

    /** Removes the entry at the front. */
    void removeFirst() {
        ReferenceChunk front = front();
        front.removeFirst();
        if (front.isEmpty()) {
            unlinkFirst(front);
        }
    }

    /** Puts all of another line, which is not used any longer, before this one's. */
    void prepend(ReferenceLine front) {
        ReferenceChunk frontLast = front.last;
        if (frontLast == null) {
            return;
        }
        if (last == null || (last == first && last.isEmpty())) {
            releaseEmpty();
            last = frontLast;
        } else {
            frontLast.next(first);
        }
        first = front.first;
    }

    /** Takes the chunks of another line, which is not used any longer, in place of its own. */
    void replaceBy(ReferenceLine other) {
        first = other.first;
        last = other.last;
        frozenTo = null;
    }

    /** Puts a chunk behind all others. */
    void link(ReferenceChunk chunk) {
        chunk.next(null);
        if (last == null || (last == first && last.isEmpty())) {
            releaseEmpty();
            first = chunk;
        } else {
            last.next(chunk);
        }
        last = chunk;
    }

    /**
     * Takes a chunk out, which the caller uses still.
     *
     * @param before what stands before it; null when it is the first
     */
    void unlink(@Nullable ReferenceChunk before, ReferenceChunk chunk) {
        ReferenceChunk behind = chunk.next();
        if (before == null) {
            first = behind;
        } else {
            before.next(behind);
        }
        if (behind == null) {
            last = before;
        }
        lastFound = lastFound == chunk ? null : lastFound;
        if (thawed != null) {
            thawed.remove(chunk);
        }
    }

    /**
     * Puts a new chunk behind another one.
     *
     * @param before null for one before all others
     * @param entries how many it is for, if it may be as large
     */
    ReferenceChunk insert(@Nullable ReferenceChunk before, int entries) {
        ReferenceChunk made = new ReferenceChunk(
                Math.max(ReferenceChunk.MIN_CAPACITY, Math.min(ReferenceChunk.MAX_CAPACITY, entries)), heap);
        ReferenceChunk behind = before == null ? first : before.next();
        made.next(behind);
        if (before == null) {
            first = made;
        } else {
            before.next(made);
        }
        if (behind == null) {
            last = made;
        }
        return made;
    }

    private void releaseEmpty() {
        if (last != null) {
            release(last);
        }
    }

    /** Gives up its chunks to another reader, which has them forget what lies in the file. */
    void clear() {
        for (ReferenceChunk chunk = first; chunk != null; chunk = chunk.next()) {
            chunk.release();
        }
        first = null;
        last = null;
        lastFound = null;
        frozenTo = null;
        thawed = null;
        chunksMade = 0;
    }

    /** Where a number waits; null when it does not. Who asks for several asks for neighbours. */
    @Nullable ReferenceChunk chunkOf(long number) {
        if (lastFound != null && isIn(lastFound, number)) {
            return lastFound;
        }
        ReferenceChunk chunk = first;
        while (chunk != null && !isIn(chunk, number)) {
            chunk = chunk.next();
        }
        lastFound = chunk;
        return chunk;
    }

    private boolean isIn(ReferenceChunk chunk, long number) {
        if (chunk.isEmpty() || !chunk.mayHold(number)) {
            return false;
        }
        thaw(chunk);
        return chunk.find(number) >= 0;
    }

    /** The messages that have no reference, as they are now. Takes a step for each chunk. */
    UnstoredSnapshot unstored() {
        List<ChunkMessages> chunks = new ArrayList<>();
        boolean wantsNext = false; // a chunk may end with messages that stand before the first of the next one
        for (ReferenceChunk chunk = first; chunk != null; chunk = chunk.next()) {
            if (chunk.hasKept()) {
                chunks.add(chunk.messages());
                wantsNext = true;
            } else if (wantsNext && !chunk.isEmpty()) {
                chunks.add(ChunkMessages.allStored(chunk.leastNumber()));
                wantsNext = false;
            }
        }
        return new LineUnstored(chunks);
    }

    List<ReferenceView> views() {
        List<ReferenceView> views = new ArrayList<>();
        for (ReferenceChunk chunk = first; chunk != null; chunk = chunk.next()) {
            if (!chunk.isEmpty()) {
                views.add(chunk.view());
            }
        }
        return views;
    }

    /** Of the chunks with messages that may lie at one of these positions. */
    List<ReferenceView> viewsIn(long from, long until) {
        List<ReferenceView> views = new ArrayList<>();
        for (ReferenceChunk chunk = first; chunk != null; chunk = chunk.next()) {
            if (!chunk.isEmpty() && chunk.mayLieIn(from, until)) {
                views.add(chunk.view());
            }
        }
        return views;
    }

    /** The last chunk of a line that has become empty is used again: most queues hold a message at a time. */
    private void unlinkFirst(ReferenceChunk chunk) {
        ReferenceChunk behind = chunk.next();
        if (behind != null) {
            release(chunk);
            first = behind;
            lastFound = lastFound == chunk ? null : lastFound;
        } else if (chunk.capacity() > KEPT_CAPACITY || !chunk.reset()) {
            chunk.forgetPage();
            clear();
        }
    }
}
