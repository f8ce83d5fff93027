package dev.avocet.core.store.replay;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * What an earlier life left of a durable queue: its references in the order of their numbers. Filled while the log is
 * read, then handed over to the queue. One owner.
 */
public final class RecoveredQueue {
    /** In place of the wall time at which a reference expires. */
    public static final long NEVER = Long.MAX_VALUE;

    private final long id;
    private final RecoveredReferences references;
    private long nextReference;
    private boolean begun;
    private boolean ended;

    RecoveredQueue(long id) {
        this(id, null);
    }

    /** @param pages for references that the heap has no room for; null where there is no file */
    RecoveredQueue(long id, @Nullable ReferencePages pages) {
        this.id = id;
        this.references = new RecoveredReferences(pages);
    }

    /** The number that the journal knows the queue by. */
    public long id() {
        return id;
    }

    /** How many references live. */
    public long size() {
        return references.live();
    }

    /** Higher than any number that a reference has had. */
    public long nextReference() {
        return nextReference;
    }

    /** So often there is something to {@linkplain #drainPiece drain}. */
    public int pieces() {
        return references.pieces();
    }

    /**
     * Shows some hundred references at the most, the next in the order of the numbers, and lets go of them: the memory
     * is given back as they go.
     *
     * @param clock turns the wall times of expiry into its own deadlines
     * @return true when there are more
     */
    public boolean drainPiece(ReferenceVisitor visitor, Clock clock) {
        return references.drainPiece((number, position, storedBytes, expiryWallMs, options) ->
                visitor.onReference(number, position, storedBytes, deadlineNs(expiryWallMs, clock), options));
    }

    /** Shows all references that live, in the order of their numbers. */
    public void forEach(Visitor visitor) {
        references.forEach(visitor);
    }

    /** A reference begins; one with a number that is known already is replaced. */
    public void put(long number, long position, int storedBytes, long expiryWallMs, @Nullable DeliveryOptions options) {
        reserve(number + 1);
        if (!ended) {
            references.put(number, position, storedBytes, expiryWallMs, options);
        }
    }

    void move(long number, long position, int storedBytes) {
        reserve(number + 1);
        references.move(number, position, storedBytes);
    }

    void acknowledge(long first, long lastInclusive) {
        reserve(lastInclusive + 1);
        references.end(first, lastInclusive);
    }

    /** References, if they live still, were delivered and not acknowledged so often at least. */
    void delivered(long first, long lastInclusive, int count) {
        references.delivered(first, lastInclusive, count);
    }

    /** Numbers below this one may have been given to references. */
    public void reserve(long next) {
        nextReference = Math.max(nextReference, next);
    }

    /** There is a destination or a subscription with this queue, or there was one: it lives until it ends. */
    public void begin() {
        begun = true;
    }

    /** No consumer reads from the queue any more, nor ever will: its number is not used again. */
    public void end() {
        ended = true;
        references.clear();
    }

    /** A session has come back that left the queue, and whose loop did not come to write that: it is of use again. */
    void goOn() {
        ended = false;
    }

    /** True when no consumer reads from the queue any more. */
    public boolean hasEnded() {
        return ended;
    }

    /** Whether it lives as far as is known, although no session or destination that is known may have it. */
    public boolean isAlive() {
        return begun && !ended;
    }

    /** The deadline of a wall time that may be {@link #NEVER}, on the scale of the clock's {@code nanoTime}. */
    public static long deadlineNs(long expiryWallMs, Clock clock) {
        return expiryWallMs == NEVER ? Message.NEVER : MessageEntry.deadlineNs(expiryWallMs, clock);
    }

    @Override
    public String toString() {
        return "queue " + id + " with " + size() + " references";
    }

    /** Sees references with the wall times at which they expire. */
    @FunctionalInterface
    public interface Visitor {
        /** @param expiryWallMs in milliseconds since 1970, or {@link #NEVER} */
        void onReference(
                long number, long position, int storedBytes, long expiryWallMs, @Nullable DeliveryOptions options);
    }
}
