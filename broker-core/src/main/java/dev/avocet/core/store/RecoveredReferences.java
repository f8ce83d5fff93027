package dev.avocet.core.store;

import dev.avocet.core.message.DeliveryOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The references of one queue while the log is read: in chunks, sorted by number. They come nearly in order and go
 * nearly in order, so nearly everything happens at the two ends. One owner.
 *
 * <p>Invariant: something lives in every chunk, and their ranges of numbers do not overlap.
 */
final class RecoveredReferences {
    private final List<@Nullable RecoveredChunk> chunks = new ArrayList<>(1);
    /**
     * A small chunk for the next time that one is needed: where each message is acknowledged before the next one comes.
     */
    private @Nullable RecoveredChunk spare;

    private long live;

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
            chunk.set(index, position, storedBytes, expiryWallMs, options);
            live += chunk.live() - before;
            return;
        }
        chunkFor(number, at).insert(number, position, storedBytes, expiryWallMs, options);
        live++;
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
        for (int at = Math.max(0, chunkOf(first));
                at < chunks.size() && chunk(at).first() <= lastInclusive;
                at++) {
            chunk(at).delivered(chunk(at).firstFrom(first), lastInclusive, count);
        }
    }

    /** References are over, if they are there. */
    void end(long first, long lastInclusive) {
        int at = Math.max(0, chunkOf(first));
        while (at < chunks.size() && chunk(at).first() <= lastInclusive) {
            RecoveredChunk chunk = chunk(at);
            live -= chunk.end(chunk.firstFrom(first), lastInclusive);
            if (chunk.live() == 0) {
                chunks.remove(at);
                spare = chunk.isSmall() ? chunk : spare;
            } else {
                if (at < chunks.size() - 1 && chunk.isSparse()) {
                    chunk.compact();
                }
                at++;
            }
        }
    }

    void forEach(RecoveredQueue.Visitor visitor) {
        for (int i = 0; i < chunks.size(); i++) {
            chunk(i).forEach(visitor);
        }
    }

    /** Shows every reference and forgets it at once. */
    void drainTo(RecoveredQueue.Visitor visitor) {
        for (int i = 0; i < chunks.size(); i++) {
            chunk(i).forEach(visitor);
            chunks.set(i, null);
        }
        clear();
    }

    void clear() {
        chunks.clear();
        spare = null;
        live = 0;
    }

    /** Index of the last chunk that begins with this number or a lower one; negative when there is none. */
    private int chunkOf(long number) {
        int high = chunks.size() - 1;
        if (high < 0 || number >= chunk(high).first()) {
            return high;
        }
        if (number < chunk(0).first()) {
            return -1;
        }
        int low = 0;
        while (low < high) { // the answer is in [low, high]
            int middle = (low + high + 1) >>> 1;
            if (chunk(middle).first() <= number) {
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
        if (chunks.isEmpty() || !chunk(at).isFor(number)) {
            return added(number, found + 1);
        }
        RecoveredChunk chunk = chunk(at);
        if (!chunk.isFull()) {
            return chunk;
        }
        boolean atEnd = at == chunks.size() - 1 && number > chunk.last();
        if (atEnd ? chunk.isSparse() : chunk.hasGaps()) {
            chunk.compact();
            return chunk;
        }
        if (atEnd) {
            return added(number, at + 1);
        }
        RecoveredChunk upper = chunk.split(number);
        chunks.add(at + 1, upper);
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
        return chunk;
    }

    private RecoveredChunk chunk(int index) {
        RecoveredChunk chunk = chunks.get(index);
        if (chunk == null) {
            throw new IllegalStateException("the references were drained");
        }
        return chunk;
    }
}
