package dev.avocet.core.store.replay;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.reference.ReferencePages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The references of one queue while the log is read: in chunks, sorted by number. They come nearly in order and go
 * nearly in order, so nearly everything happens at the two ends. One owner.
 *
 * <p>Invariant: something lives in every chunk, and their ranges of numbers do not overlap.
 */
final class RecoveredReferences {
    /** What comes first goes first: it stays on the heap. */
    private static final int FIRST_FROZEN = 1;

    private static final int FROZEN_PER_CHUNK = 4;
    private static final int THAWED_MAX = 4;

    /** For what the heap has no room for; null where there is no file. */
    private final @Nullable ReferencePages pages;

    private final List<@Nullable RecoveredChunk> chunks = new ArrayList<>(1);
    private final Deque<RecoveredChunk> thawed = new ArrayDeque<>(0);
    private int sweptTo;
    private int drained;
    private long told;
    /**
     * A small chunk for the next time that one is needed: where each message is acknowledged before the next one comes.
     */
    private @Nullable RecoveredChunk spare;

    private long live;

    /** @param pages for what the heap has no room for; null where there is no file */
    RecoveredReferences(@Nullable ReferencePages pages) {
        this.pages = pages;
    }

    long live() {
        return live;
    }

    /** A reference lies at this place, unless it is known to lie at a later one. */
    void put(long number, long position, int storedBytes, long expiryWallMs, @Nullable DeliveryOptions options) {
        int at = chunkOf(number);
        RecoveredChunk chunk = at < 0 ? null : chunk(at);
        int index = chunk == null ? -1 : chunk.indexOf(number);
        if (chunk != null && index >= 0) {
            int before = chunk.live();
            long heapBefore = chunk.heapBytes();
            chunk.set(index, position, storedBytes, expiryWallMs, options);
            took(chunk.heapBytes() - heapBefore);
            live += chunk.live() - before;
            return;
        }
        RecoveredChunk with = chunkFor(number, at);
        long heapBefore = with.heapBytes();
        with.insert(number, position, storedBytes, expiryWallMs, options);
        took(with.heapBytes() - heapBefore);
        live++;
    }

    private void took(long bytes) {
        if (pages != null && bytes != 0) {
            pages.took(bytes);
            told += bytes;
        }
    }

    /** A reference, if it lives still, lies at this place, unless it is known to lie at a later one. */
    void move(long number, long position, int storedBytes) {
        int at = chunkOf(number);
        if (at >= 0) {
            RecoveredChunk chunk = chunk(at);
            int index = chunk.indexOf(number);
            if (index >= 0 && chunk.isLive(index)) {
                chunk.moved(index, position, storedBytes);
            }
        }
    }

    /** References, if they live still, were delivered and not acknowledged so often at least. */
    void delivered(long first, long lastInclusive, int count) {
        for (int at = Math.max(0, chunkOf(first)); at < chunks.size() && peek(at).first() <= lastInclusive; at++) {
            chunk(at).delivered(chunk(at).firstFrom(first), lastInclusive, count);
        }
    }

    /** References are over, if they are there. */
    void end(long first, long lastInclusive) {
        int at = Math.max(0, chunkOf(first));
        while (at < chunks.size() && peek(at).first() <= lastInclusive) {
            if (peek(at).last() < first) {
                at++; // it begins before, and ends before
                continue;
            }
            RecoveredChunk chunk = chunk(at);
            live -= chunk.end(chunk.firstFrom(first), lastInclusive);
            if (chunk.live() == 0) {
                chunks.remove(at);
                thawed.remove(chunk);
                took(-chunk.heapBytes());
                spare = chunk.isSmall() ? chunk : spare;
            } else {
                if (at < chunks.size() - 1 && chunk.isSparse()) {
                    long before = chunk.heapBytes();
                    chunk.compact();
                    took(chunk.heapBytes() - before);
                }
                at++;
            }
        }
    }

    void forEach(RecoveredQueue.Visitor visitor) {
        for (int i = 0; i < chunks.size(); i++) {
            peek(i).forEach(pages, visitor);
        }
    }

    /** So often there is something to {@linkplain #drainPiece drain}. */
    int pieces() {
        return chunks.size() - drained;
    }

    /**
     * Shows the next references, a chunk of them, and forgets them at once; nothing else may be asked for afterwards.
     *
     * @return true when there are more
     */
    boolean drainPiece(RecoveredQueue.Visitor visitor) {
        if (drained < chunks.size()) {
            RecoveredChunk chunk = chunk(drained);
            thawed.clear();
            chunks.set(drained, null);
            drained++;
            took(-chunk.heapBytes());
            live -= chunk.live();
            chunk.forEach(visitor);
        }
        if (drained < chunks.size()) {
            return true;
        }
        clear();
        return false;
    }

    void clear() {
        for (RecoveredChunk chunk : chunks) {
            if (chunk != null && pages != null) {
                chunk.thaw(pages);
            }
        }
        took(-told);
        thawed.clear();
        chunks.clear();
        spare = null;
        live = 0;
        drained = 0;
    }

    /** Index of the last chunk that begins with this number or a lower one; negative when there is none. */
    private int chunkOf(long number) {
        int high = chunks.size() - 1;
        if (high < 0 || number >= peek(high).first()) {
            return high;
        }
        if (number < peek(0).first()) {
            return -1;
        }
        int low = 0;
        while (low < high) { // the answer is in [low, high]
            int middle = (low + high + 1) >>> 1;
            if (peek(middle).first() <= number) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The chunk to insert a number into, which has room. */
    private RecoveredChunk chunkFor(long number, int found) {
        int at = Math.max(0, found);
        if (chunks.isEmpty() || !peek(at).isFor(number)) {
            return added(number, found + 1);
        }
        RecoveredChunk chunk = chunk(at);
        if (!chunk.isFull()) {
            return chunk;
        }
        boolean atEnd = at == chunks.size() - 1 && number > chunk.last();
        if (atEnd ? chunk.isSparse() : chunk.hasGaps()) {
            long before = chunk.heapBytes();
            chunk.compact();
            took(chunk.heapBytes() - before);
            return chunk;
        }
        if (atEnd) {
            return added(number, at + 1);
        }
        RecoveredChunk upper = chunk.split(number);
        chunks.add(at + 1, upper);
        took(upper.heapBytes());
        return number < upper.first() ? chunk : upper;
    }

    private RecoveredChunk added(long number, int at) {
        RecoveredChunk chunk = spare;
        if (chunk == null) {
            chunk = new RecoveredChunk(number);
        } else {
            chunk.reuse(number);
            spare = null;
        }
        chunks.add(at, chunk);
        took(chunk.heapBytes());
        freezeSome();
        return chunk;
    }

    /** It has grown by a chunk: if the heap has no room for it, others go to the file. */
    private void freezeSome() {
        if (pages == null || !pages.isWanted()) {
            return;
        }
        int newest = chunks.size() - 2;
        sweptTo = sweptTo < FIRST_FROZEN || sweptTo > newest ? newest : sweptTo;
        if (newest >= FIRST_FROZEN) {
            freeze(peek(newest), pages);
        }
        for (int i = 0; i < FROZEN_PER_CHUNK && sweptTo >= FIRST_FROZEN; i++) {
            freeze(peek(sweptTo), pages);
            sweptTo--;
        }
    }

    private boolean freeze(RecoveredChunk chunk, ReferencePages into) {
        long before = chunk.heapBytes();
        chunk.freeze(into);
        took(chunk.heapBytes() - before);
        return chunk.isFrozen();
    }

    /** A chunk with its columns. Those that were read back longest ago lie in the file again when others are. */
    private RecoveredChunk chunk(int index) {
        RecoveredChunk chunk = peek(index);
        if (pages != null && chunk.isFrozen()) {
            long before = chunk.heapBytes();
            chunk.thaw(pages);
            took(chunk.heapBytes() - before);
            thawed.remove(chunk);
            RecoveredChunk oldest = thawed.size() >= THAWED_MAX ? thawed.poll() : null;
            thawed.add(chunk);
            if (oldest != null && !freeze(oldest, pages)) {
                thawed.add(oldest);
            }
        }
        return chunk;
    }

    /** A chunk of which only what is true of all of it may be asked: its columns may lie in a file. */
    private RecoveredChunk peek(int index) {
        RecoveredChunk chunk = chunks.get(index);
        if (chunk == null) {
            throw new IllegalStateException("the references were drained");
        }
        return chunk;
    }
}
