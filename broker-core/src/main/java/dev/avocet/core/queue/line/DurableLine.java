package dev.avocet.core.queue.line;

import static dev.avocet.core.queue.transit.DeliverySource.NOT_STORED;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.DeliveryNotes;
import dev.avocet.core.queue.reference.Durability;
import dev.avocet.core.queue.reference.HeapTally;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.core.queue.room.QueueRoom;
import dev.avocet.core.queue.transit.ExpirySearch;
import dev.avocet.core.queue.transit.Unsettled;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The line of a durable queue, and the references that its consumers hold. It consists of references; whether the
 * message of one is in memory too is decided when it begins to wait ({@link LineMemory}). What is not comes back in
 * time, before its turn, as long as there is a consumer ({@link ReadAhead}). Messages that are not stored stand in the
 * same line and are always in memory.
 *
 * <p>Home loop.
 */
public final class DurableLine implements WaitingLine {
    private final Durability durability;
    private final QueueStore store;
    private final HeapTally heap;
    private final ReferenceLine line;
    private final InFlightReferences inFlight = new InFlightReferences();
    private final LineMemory memory;
    private final ReadAhead ahead;
    /** Up to here a search for what has expired has come; it begins anew when that chunk has gone. */
    private @Nullable ReferenceChunk sweptTo;

    private int size;
    private int stored;
    private long unstoredBytes;
    private long storedBytes;

    /** @param room knows how much may be in memory */
    public DurableLine(Durability durability, QueueRoom room, ReadRequest.Answer onAnswer) {
        this.durability = durability;
        this.store = durability.store();
        this.heap = new HeapTally(store::pages);
        this.line = new ReferenceLine(heap);
        this.memory = new LineMemory(durability, room);
        this.ahead = new ReadAhead(store, line, memory, onAnswer);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long unstoredBytes() {
        return unstoredBytes;
    }

    @Override
    public long storedBytes() {
        return storedBytes;
    }

    @Override
    public long heapBytes() {
        return memory.heapBytes();
    }

    @Override
    public long referenceBytes() {
        return heap.bytes() + inFlight.heapBytes();
    }

    @Override
    public void addLast(Message message, @Nullable DeliveryOptions options) {
        ReferenceChunk chunk = line.back(NOT_STORED);
        addUnstored(chunk, message, options);
    }

    /**
     * Adds a stored message.
     *
     * @param soonWanted true when there are consumers
     */
    public void addStored(
            Message message,
            @Nullable DeliveryOptions options,
            long reference,
            long position,
            int storedBytes,
            boolean soonWanted) {
        ReferenceChunk chunk = line.back(reference);
        int index = chunk.add(reference, position, storedBytes, message.expiryDeadlineNs(), options);
        countStored(storedBytes);
        memory.keepOrNot(chunk, index, message, soonWanted && memory.absent() == 0);
    }

    /** Adds a reference whose message is on disk only. */
    public void restore(
            long reference, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions options) {
        line.back(reference).add(reference, position, storedBytes, deadlineNs, options);
        countStored(storedBytes);
        memory.countAbsent();
    }

    /** Adds a reference whose message another queue holds. */
    public void restoreInFlight(
            long reference, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions options) {
        inFlight.add(reference, position, storedBytes, deadlineNs, options);
    }

    /** A stored message went to a consumer without having waited. */
    public void handOut(
            Message message, @Nullable DeliveryOptions options, long reference, long position, int storedBytes) {
        inFlight.add(reference, position, storedBytes, message.expiryDeadlineNs(), options);
    }

    /**
     * A reference that was {@linkplain #handOut handed out} to wait for its time waits in the line now, its message on
     * disk only.
     */
    public void becomeDue(long reference) {
        long slot = inFlight.find(reference);
        if (slot >= 0) {
            int sizeBytes = inFlight.storedBytes(slot);
            line.back(reference)
                    .add(
                            reference,
                            inFlight.position(slot),
                            sizeBytes,
                            inFlight.deadlineNs(slot),
                            inFlight.options(slot));
            inFlight.remove(slot);
            countStored(sizeBytes);
            memory.countAbsent();
        }
    }

    /** A consumer has settled a reference; false when it had none of that number. */
    public boolean settle(long reference, IoLoop home) {
        long slot = inFlight.find(reference);
        if (slot < 0) {
            return false;
        }
        store.acknowledged(durability.queueId(), reference, inFlight.position(slot), inFlight.storedBytes(slot), home);
        inFlight.remove(slot);
        return true;
    }

    /** A reference in flight is over, and the store has been told; false when none of that number is in flight. */
    public boolean endCommitted(long reference) {
        long slot = inFlight.find(reference);
        if (slot < 0) {
            return false;
        }
        store.abandoned(inFlight.position(slot), inFlight.storedBytes(slot));
        inFlight.remove(slot);
        return true;
    }

    /**
     * Puts references in flight to the front, whose messages are on disk only, as delivered before. Returns the
     * earliest deadline among them.
     */
    public long giveBackAbsent(long[] references, IoLoop home) {
        noteDelivered(LongStream.of(references).filter(inFlight::isNotNoted).toArray(), home);
        ReferenceLine front = new ReferenceLine(heap);
        long earliestNs = Message.NEVER;
        for (long reference : references) {
            long slot = inFlight.find(reference);
            if (slot >= 0) {
                int storedBytes = inFlight.storedBytes(slot);
                long deadlineNs = inFlight.deadlineNs(slot);
                front.back(reference)
                        .add(reference, inFlight.position(slot), storedBytes, deadlineNs, inFlight.options(slot));
                inFlight.remove(slot);
                countStored(storedBytes);
                memory.countAbsent();
                earliestNs = Math.min(earliestNs, deadlineNs);
            }
        }
        line.prepend(front);
        return earliestNs;
    }

    /**
     * Puts what consumers have given up to the front, in its order; what is stored as it is known here, options
     * included but for the count of its deliveries, and only if it is in flight.
     *
     * @param soonWanted true when there are consumers
     */
    public void giveBack(List<Unsettled> messages, boolean soonWanted, IoLoop home) {
        ReferenceLine front = new ReferenceLine(heap);
        DeliveryNotes notes = new DeliveryNotes();
        for (Unsettled unsettled : messages) {
            Message message = unsettled.message();
            long slot = inFlight.find(unsettled.reference());
            if (unsettled.reference() == NOT_STORED) {
                addUnstored(front.back(NOT_STORED), message, unsettled.options(null));
            } else if (slot >= 0) {
                if (unsettled.deliveryCount() > inFlight.deliveryCount(slot)) {
                    notes.add(unsettled.reference(), unsettled.deliveryCount());
                }
                giveBackStored(front.back(unsettled.reference()), slot, unsettled, soonWanted);
            }
        }
        line.prepend(front);
        notes.write(durability, home);
    }

    /** Those of the references that are in flight count as delivered once more, unless that was noted before. */
    public void noteDelivered(long[] references, IoLoop home) {
        DeliveryNotes notes = new DeliveryNotes();
        inFlight.noteDelivered(references, notes::add);
        notes.write(durability, home);
    }

    private void giveBackStored(ReferenceChunk chunk, long slot, Unsettled unsettled, boolean soonWanted) {
        int storedBytes = inFlight.storedBytes(slot);
        int index = chunk.add(
                unsettled.reference(),
                inFlight.position(slot),
                storedBytes,
                inFlight.deadlineNs(slot),
                unsettled.options(inFlight.options(slot)));
        inFlight.remove(slot);
        countStored(storedBytes);
        memory.keepOrNot(chunk, index, unsettled.message(), soonWanted);
    }

    @Override
    public @Nullable Message first() {
        ReferenceChunk front = line.front();
        return front.message(front.head());
    }

    @Override
    public @Nullable DeliveryOptions firstOptions() {
        ReferenceChunk front = line.front();
        return front.options(front.head());
    }

    @Override
    public long firstReference() {
        ReferenceChunk front = line.front();
        return front.number(front.head());
    }

    @Override
    public long firstDeadlineNs() {
        ReferenceChunk front = line.front();
        return front.deadlineNs(front.head());
    }

    @Override
    public void handOutFirst() {
        ReferenceChunk front = line.front();
        int index = front.head();
        if (front.isStored(index)) {
            inFlight.add(
                    front.number(index),
                    front.position(index),
                    front.sizeBytes(index),
                    front.deadlineNs(index),
                    front.options(index));
        }
        uncount(front, index);
        line.removeFirst();
    }

    @Override
    public void endFirst(IoLoop home) {
        ReferenceChunk front = line.front();
        end(front, front.head(), home);
        line.removeFirst();
    }

    /** Chunks in which something has expired are written anew, because entries never change. */
    @Override
    public boolean sweep(ExpirySearch search, int most, IoLoop home) {
        ReferenceChunk before = sweptTo == null || sweptTo.isReleased() ? null : sweptTo;
        ReferenceChunk chunk = before == null ? line.firstChunk() : before.next();
        for (int left = most; chunk != null && left > 0; left--) {
            ReferenceChunk next = chunk.next();
            if (chunk.isReading()) {
                search.note(chunk.earliestDeadlineNs());
                before = chunk;
            } else if (search.isOver(chunk.earliestDeadlineNs())) {
                left -= chunk.tail() - chunk.head();
                ReferenceChunk written = before;
                before = removeExpired(before, chunk, search, home);
                line.freezeBetween(written, before);
            } else {
                before = chunk;
            }
            chunk = next;
        }
        sweptTo = chunk == null ? null : before;
        return chunk == null;
    }

    /** Returns the chunk with the last one of those that have not expired, or what stands before them. */
    private @Nullable ReferenceChunk removeExpired(
            @Nullable ReferenceChunk before, ReferenceChunk from, ExpirySearch search, IoLoop home) {
        ReferenceChunk to = before;
        line.thaw(from);
        line.unlink(before, from);
        for (int i = from.head(); i < from.tail(); i++) {
            if (search.isOver(from.deadlineNs(i))) {
                end(from, i, home);
            } else {
                to = to == null || !to.fits(from.number(i)) ? line.insert(to, from.tail() - i) : to;
                from.copyTo(i, to);
            }
        }
        from.removeAll();
        line.release(from);
        return to;
    }

    @Override
    public void abandon(IoLoop home) {
        AbandonedLine end = new AbandonedLine(line.firstChunk(), inFlight.takeAll(), store, home);
        line.clear();
        sweptTo = null;
        size = 0;
        stored = 0;
        unstoredBytes = 0;
        storedBytes = 0;
        memory.clear();
        ahead.stop();
        end.turn();
    }

    @Override
    public void readAhead(IoLoop home) {
        ahead.begin(home);
    }

    /** As of {@link ReadAhead#take}; what is lost is to be ended by {@link #lose}. */
    public long[] takeRead(ReadRequest request, @Nullable Message[] messages, boolean wanted) {
        return ahead.take(request, messages, wanted);
    }

    /**
     * Ends a reference that waits, wherever in the line, because its message is lost. False when the reference does not
     * wait, its message lies elsewhere, or it cannot be ended now.
     */
    public boolean lose(long reference, long position, IoLoop home) {
        ReferenceChunk damaged = line.chunkOf(reference);
        if (damaged == null || damaged.isReading() || positionOf(reference) != position) {
            return false;
        }
        ReferenceLine rest = new ReferenceLine(heap);
        ReferenceChunk next;
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null; chunk = next) {
            next = chunk.next();
            if (chunk == damaged) {
                moveOthers(chunk, rest, reference, home);
            } else {
                rest.link(chunk);
            }
        }
        line.replaceBy(rest);
        return true;
    }

    private void moveOthers(ReferenceChunk from, ReferenceLine to, long lost, IoLoop home) {
        for (int i = from.head(); i < from.tail(); i++) {
            if (from.number(i) == lost) {
                end(from, i, home);
            } else {
                from.copyTo(i, to.back(from.number(i)));
            }
        }
        from.removeAll();
        line.release(from);
    }

    @Override
    public void forgetReadAhead() {
        memory.forgetAhead(line);
    }

    @Override
    public boolean shedPayloads(boolean soonWanted, int most) {
        return memory.shed(line, soonWanted, most);
    }

    /** What waits and what is in flight now; any one thread may look through it later. */
    public QueueSnapshot snapshot() {
        return new LineSnapshot(
                durability.queueId(),
                durability.nextReference(),
                stored + inFlight.size(),
                inFlight.view(),
                line.views());
    }

    /** Finds the references whose messages lie at one of these positions, of which the last one is exclusive. */
    public ReferenceSearch search(long from, long until) {
        return new ReferenceSearch(from, until, inFlight.view().walk(), line.viewsIn(from, until));
    }

    @Override
    public UnstoredSnapshot unstored() {
        return size == stored ? visitor -> {} : line.unstored();
    }

    /**
     * The message of a reference was written again: it lies there now, unless it lies at a later place or is over. The
     * store may forget the former place.
     */
    public boolean move(long reference, long newPosition, int storedBytes) {
        long slot = inFlight.find(reference);
        if (slot >= 0 && newPosition > inFlight.position(slot)) {
            store.abandoned(inFlight.position(slot), inFlight.storedBytes(slot));
            inFlight.move(slot, newPosition, storedBytes);
            return true;
        }
        ReferenceChunk chunk = slot >= 0 ? null : line.chunkOf(reference);
        if (chunk == null || newPosition <= positionOf(reference)) {
            return false;
        }
        int index = chunk.find(reference);
        store.abandoned(chunk.position(index), chunk.sizeBytes(index));
        this.storedBytes += storedBytes - chunk.sizeBytes(index);
        chunk.move(index, newPosition, storedBytes);
        ahead.onMoved(chunk);
        return true;
    }

    /** Where the message of a reference lies that waits; -1 when none of that number does. */
    public long positionOf(long reference) {
        ReferenceChunk chunk = line.chunkOf(reference);
        return chunk == null ? -1 : chunk.position(chunk.find(reference));
    }

    private void addUnstored(ReferenceChunk chunk, Message message, @Nullable DeliveryOptions options) {
        memory.addUnstored(chunk, message, options);
        size++;
        unstoredBytes += message.sizeBytes();
    }

    private void countStored(int sizeBytes) {
        size++;
        stored++;
        storedBytes += sizeBytes;
    }

    private void end(ReferenceChunk chunk, int index, IoLoop home) {
        if (chunk.isStored(index)) {
            store.acknowledged(
                    durability.queueId(), chunk.number(index), chunk.position(index), chunk.sizeBytes(index), home);
        }
        uncount(chunk, index);
    }

    private void uncount(ReferenceChunk chunk, int index) {
        size--;
        if (chunk.isStored(index)) {
            stored--;
            storedBytes -= chunk.sizeBytes(index);
        } else {
            unstoredBytes -= chunk.sizeBytes(index);
        }
        ahead.onLeft();
        memory.letGo(chunk, index);
    }
}
