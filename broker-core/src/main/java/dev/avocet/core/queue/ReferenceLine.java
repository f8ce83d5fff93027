package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a line, first to last. Chunks grow with the line: one that is nearly empty is small, and many queues
 * are. Home loop.
 */
final class ReferenceLine {
    private static final int KEPT_CAPACITY = 64;

    private final HeapTally heap;
    private @Nullable ReferenceChunk first;
    private @Nullable ReferenceChunk last;
    private @Nullable ReferenceChunk lastFound;

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
        return front;
    }

    /** A chunk at the end where an entry with this number can be added. */
    ReferenceChunk back(long number) {
        ReferenceChunk back = last;
        if (back != null && back.fits(number)) {
            return back;
        }
        int capacity = back == null ? ReferenceChunk.MIN_CAPACITY : back.capacity() * 2;
        ReferenceChunk made = new ReferenceChunk(
                Math.max(ReferenceChunk.MIN_CAPACITY, Math.min(ReferenceChunk.MAX_CAPACITY, capacity)), heap);
        link(made);
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
            last.release();
        }
    }

    /** Gives up its chunks, which another line may still use. */
    void clear() {
        for (ReferenceChunk chunk = first; chunk != null; chunk = chunk.next()) {
            chunk.release();
        }
        first = null;
        last = null;
        lastFound = null;
    }

    /** Where a number waits; null when it does not. Who asks for several asks for neighbours. */
    @Nullable ReferenceChunk chunkOf(long number) {
        if (lastFound != null && lastFound.find(number) >= 0) {
            return lastFound;
        }
        ReferenceChunk chunk = first;
        while (chunk != null && chunk.find(number) < 0) {
            chunk = chunk.next();
        }
        lastFound = chunk;
        return chunk;
    }

    /**
     * Shows the messages that have no reference. Takes a step for each message in memory, and for each chunk of others.
     *
     * @param count how many they are
     */
    void forEachUnstored(int count, UnstoredVisitor visitor) {
        int left = count;
        List<Unstored> ahead = new ArrayList<>(); // of the stored message that comes next
        for (ReferenceChunk chunk = first; chunk != null && left > 0; chunk = chunk.next()) {
            if (!chunk.hasKept() && ahead.isEmpty()) {
                continue; // all of them are stored
            }
            for (int i = chunk.head(); i < chunk.tail() && left > 0; i++) {
                if (chunk.isStored(i)) {
                    long before = chunk.number(i);
                    ahead.forEach(each -> visitor.onUnstored(before, each.message(), each.options()));
                    left -= ahead.size();
                    ahead.clear();
                } else {
                    ahead.add(new Unstored(Objects.requireNonNull(chunk.message(i)), chunk.options(i)));
                }
            }
        }
        ahead.forEach(each -> visitor.onUnstored(UnstoredVisitor.AT_END, each.message(), each.options()));
    }

    private record Unstored(Message message, @Nullable DeliveryOptions options) {}

    List<ChunkView> views() {
        List<ChunkView> views = new ArrayList<>();
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
            chunk.release();
            first = behind;
            lastFound = lastFound == chunk ? null : lastFound;
        } else if (chunk.capacity() > KEPT_CAPACITY || !chunk.reset()) {
            clear();
        }
    }
}
