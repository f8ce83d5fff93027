package dev.avocet.core.queue;

import static dev.avocet.core.queue.DeliverySource.NOT_STORED;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The line of a durable queue, and the references that its consumers hold. It consists of references; whether the
 * message of one is in memory too is decided when it begins to wait, by what the store allows. What is not comes back
 * in time, before its turn, as long as somebody consumes: see {@link #readAhead}. Messages that are not stored stand in
 * the same line and are always in memory.
 *
 * <p>A message in memory is one of three. <em>Kept</em>: the store has granted its share of the memory, which is given
 * back when the message leaves the line, or {@linkplain #shedPayloads earlier}. <em>Ahead</em>: one of the next, within
 * {@link ReadAheadLimits}, for which no share is asked, so that a queue with a consumer goes on however little memory
 * there is. <em>Not stored</em>.
 *
 * <p>Home loop.
 */
final class DurableLine implements WaitingLine {
    /** How far from the front to look for what has to be read back. */
    private static final int LOOK_AHEAD = 1024;

    private static final long[] NONE = {};

    private final Durability durability;
    private final QueueStore store;
    private final QueueRoom room;
    private final ReadRequest.Answer onAnswer;
    private final HeapTally heap;
    private final ReferenceLine line;
    private final InFlightReferences inFlight = new InFlightReferences();

    private int size;
    private int stored;
    private long unstoredBytes;
    private long storedBytes;
    private long heapBytes;
    /** Stored messages that are kept. */
    private int keptCount;
    /** Entries whose message is on disk only. */
    private int absent;

    private int aheadCount;
    private long aheadBytes;
    private @Nullable ReadRequest reading;
    /** Something could not be read: the store is broken, and asking again would not mend it. */
    private boolean unreadable;
    /** Entries to leave the line before it is worth to look ahead again. */
    private int quiet;

    /** @param room knows how much may be in memory */
    DurableLine(Durability durability, QueueRoom room, ReadRequest.Answer onAnswer) {
        this.durability = durability;
        this.room = room;
        this.store = durability.store();
        this.heap = new HeapTally(store::pages);
        this.line = new ReferenceLine(heap);
        this.onAnswer = onAnswer;
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
        return heapBytes;
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
    void addStored(
            Message message,
            @Nullable DeliveryOptions options,
            long reference,
            long position,
            int storedBytes,
            boolean soonWanted) {
        ReferenceChunk chunk = line.back(reference);
        int index = chunk.add(reference, position, storedBytes, message.expiryDeadlineNs(), options);
        countStored(storedBytes);
        keepOrNot(chunk, index, message, soonWanted && absent == 0);
    }

    /** Adds a reference whose message is on disk only. */
    void restore(long reference, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions options) {
        line.back(reference).add(reference, position, storedBytes, deadlineNs, options);
        countStored(storedBytes);
        absent++;
    }

    /** Adds a reference that somebody else holds the message of. */
    void restoreInFlight(
            long reference, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions options) {
        inFlight.add(reference, position, storedBytes, deadlineNs, options);
    }

    /** A stored message went to a consumer without having waited. */
    void handOut(Message message, @Nullable DeliveryOptions options, long reference, long position, int storedBytes) {
        inFlight.add(reference, position, storedBytes, message.expiryDeadlineNs(), options);
    }

    /**
     * A reference that was {@linkplain #handOut handed out} to wait for its time waits in the line now, its message on
     * disk only.
     */
    void becomeDue(long reference) {
        int slot = inFlight.find(reference);
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
            absent++;
        }
    }

    /** A consumer has settled a reference; false when it had none of that number. */
    boolean settle(long reference, IoLoop home) {
        int slot = inFlight.find(reference);
        if (slot < 0) {
            return false;
        }
        store.acknowledged(durability.queueId(), reference, inFlight.position(slot), inFlight.storedBytes(slot), home);
        inFlight.remove(slot);
        return true;
    }

    /** A reference in flight is over, and the store has been told; false when none of that number is in flight. */
    boolean endCommitted(long reference) {
        int slot = inFlight.find(reference);
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
    long giveBackAbsent(long[] references, IoLoop home) {
        noteDelivered(LongStream.of(references).filter(this::isNotNoted).toArray(), home);
        ReferenceLine front = new ReferenceLine(heap);
        long earliestNs = Message.NEVER;
        for (long reference : references) {
            int slot = inFlight.find(reference);
            if (slot >= 0) {
                int storedBytes = inFlight.storedBytes(slot);
                long deadlineNs = inFlight.deadlineNs(slot);
                front.back(reference)
                        .add(reference, inFlight.position(slot), storedBytes, deadlineNs, inFlight.options(slot));
                inFlight.remove(slot);
                countStored(storedBytes);
                absent++;
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
    void giveBack(List<Unsettled> messages, boolean soonWanted, IoLoop home) {
        ReferenceLine front = new ReferenceLine(heap);
        DeliveryNotes notes = new DeliveryNotes();
        for (Unsettled unsettled : messages) {
            Message message = unsettled.message();
            int slot = inFlight.find(unsettled.reference());
            if (unsettled.reference() == NOT_STORED) {
                addUnstored(front.back(NOT_STORED), message, options(null, unsettled));
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

    /** How a message is delivered that was given back, other than the count as before. */
    static @Nullable DeliveryOptions options(@Nullable DeliveryOptions before, Unsettled back) {
        return back.deliveryCount() == Unsettled.AS_BEFORE
                ? before
                : DeliveryOptions.delivered(before, back.deliveryCount());
    }

    /** Those of the references that are in flight count as delivered once more, unless that was noted before. */
    void noteDelivered(long[] references, IoLoop home) {
        DeliveryNotes notes = new DeliveryNotes();
        for (long reference : references) {
            int slot = inFlight.find(reference);
            if (slot >= 0) {
                int count = inFlight.deliveryCount(slot) + 1;
                inFlight.delivered(slot, count);
                notes.add(reference, count);
            }
        }
        notes.write(durability, home);
    }

    private boolean isNotNoted(long reference) {
        int slot = inFlight.find(reference);
        return slot >= 0 && inFlight.deliveryCount(slot) == 0;
    }

    private void giveBackStored(ReferenceChunk chunk, int slot, Unsettled unsettled, boolean soonWanted) {
        int storedBytes = inFlight.storedBytes(slot);
        int index = chunk.add(
                unsettled.reference(),
                inFlight.position(slot),
                storedBytes,
                inFlight.deadlineNs(slot),
                options(inFlight.options(slot), unsettled));
        inFlight.remove(slot);
        countStored(storedBytes);
        keepOrNot(chunk, index, unsettled.message(), soonWanted);
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
    public long removeExpired(long nowNs, IoLoop home) {
        ReferenceLine rest = new ReferenceLine(heap);
        long earliestNs = Message.NEVER;
        ReferenceChunk next;
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null; chunk = next) {
            next = chunk.next();
            long chunkNs = chunk.earliestDeadlineNs();
            if (chunk.isReading() || chunkNs == Message.NEVER || nowNs - chunkNs < 0) {
                rest.link(chunk);
                earliestNs = Math.min(earliestNs, chunkNs);
            } else {
                earliestNs = Math.min(earliestNs, moveUnexpired(chunk, rest, nowNs, home));
            }
        }
        line.replaceBy(rest);
        return earliestNs;
    }

    /** Returns the earliest deadline among those that were moved. */
    private long moveUnexpired(ReferenceChunk from, ReferenceLine to, long nowNs, IoLoop home) {
        long earliestNs = Message.NEVER;
        for (int i = from.head(); i < from.tail(); i++) {
            long deadlineNs = from.deadlineNs(i);
            if (deadlineNs != Message.NEVER && nowNs - deadlineNs >= 0) {
                end(from, i, home);
            } else {
                from.copyTo(i, to.back(from.number(i)));
                earliestNs = Math.min(earliestNs, deadlineNs);
            }
        }
        from.removeAll();
        from.release();
        return earliestNs;
    }

    @Override
    public void abandon(IoLoop home) {
        AbandonedLine end = new AbandonedLine(line.firstChunk(), inFlight.takeAll(), store, home);
        line.clear();
        size = 0;
        stored = 0;
        unstoredBytes = 0;
        storedBytes = 0;
        heapBytes = 0;
        keptCount = 0;
        absent = 0;
        aheadCount = 0;
        aheadBytes = 0;
        reading = null;
        end.turn();
    }

    /**
     * Reads the next messages that are on disk only, unless that is going on or enough of them are here. While the
     * first is not here nothing can be delivered, so this is called whenever the line may have got a new first one.
     */
    @Override
    public void readAhead(IoLoop home) {
        if (absent == 0 || reading != null || unreadable) {
            return;
        }
        if (first() != null && (quiet > 0 || hasEnoughAhead())) {
            return;
        }
        ReadRequest request = lookAhead();
        if (!request.isEmpty()) {
            reading = request;
            request.send(store, home, onAnswer);
        }
    }

    /**
     * Takes what was read back.
     *
     * @param wanted false when nobody consumes any longer
     * @return references whose messages are lost, to be ended by {@link #lose}
     */
    long[] takeRead(ReadRequest request, @Nullable Message[] messages, boolean wanted) {
        if (request != reading) {
            return NONE; // the queue is closed
        }
        reading = null;
        LongStream.Builder damaged = LongStream.builder();
        request.complete(messages, (chunk, index, message) -> {
            if (message == null || (message == QueueStore.DAMAGED && request.isOvertaken())) {
                unreadable |= !request.isOvertaken();
            } else if (message == QueueStore.DAMAGED) {
                damaged.add(chunk.number(index));
            } else if (wanted) {
                absent--;
                keepAhead(chunk, index, message);
            }
        });
        return damaged.build().toArray();
    }

    /**
     * Ends a reference that waits, wherever in the line, because its message is lost. Returns where that lay; -1 when
     * the reference does not wait, or cannot be ended now.
     */
    long lose(long reference, IoLoop home) {
        ReferenceChunk damaged = line.chunkOf(reference);
        if (damaged == null || damaged.isReading()) {
            return -1;
        }
        long position = damaged.position(damaged.find(reference));
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
        return position;
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
        from.release();
    }

    @Override
    public void forgetReadAhead() {
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null && aheadCount > 0; chunk = chunk.next()) {
            for (int i = chunk.head(); i < chunk.tail() && chunk.hasAhead(); i++) {
                Message message = chunk.takeAhead(i);
                if (message != null) {
                    uncountAhead(message);
                    absent++;
                }
            }
        }
    }

    @Override
    public void shedPayloads(boolean soonWanted) {
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null && keptCount > 0; chunk = chunk.next()) {
            for (int i = chunk.head(); i < chunk.tail() && chunk.hasKept(); i++) {
                if (chunk.isStored(i)) {
                    shed(chunk, i, soonWanted);
                }
            }
        }
    }

    private void shed(ReferenceChunk chunk, int index, boolean soonWanted) {
        Message kept = chunk.takeKept(index);
        if (kept == null) {
            return;
        }
        uncountKept(kept);
        if (soonWanted && absent == 0 && hasRoomAhead(kept.sizeBytes())) {
            keepAhead(chunk, index, kept);
        } else {
            absent++;
        }
    }

    QueueSnapshot snapshot() {
        return new LineSnapshot(
                durability.queueId(),
                durability.nextReference(),
                stored + inFlight.size(),
                inFlight.copy(),
                line.views());
    }

    void forEachIn(long from, long until, ReferenceVisitor visitor) {
        inFlight.forEachIn(from, until, visitor);
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null; chunk = chunk.next()) {
            chunk.forEachIn(from, until, visitor);
        }
    }

    /** Takes a step for each reference that waits, where there is a message without one. */
    @Override
    public void forEachUnstored(UnstoredVisitor visitor) {
        int left = size - stored;
        List<Unstored> ahead = new ArrayList<>(); // of the stored message that comes next
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null && left > 0; chunk = chunk.next()) {
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

    /** The message of a reference lies elsewhere now; false when the reference is over. */
    boolean move(long reference, long newPosition, int storedBytes) {
        int slot = inFlight.find(reference);
        if (slot >= 0) {
            inFlight.move(slot, newPosition, storedBytes);
            return true;
        }
        ReferenceChunk chunk = line.chunkOf(reference);
        if (chunk == null) {
            return false;
        }
        int index = chunk.find(reference);
        this.storedBytes += storedBytes - chunk.sizeBytes(index);
        chunk.move(index, newPosition, storedBytes);
        if (reading != null && chunk.isReading()) {
            reading.overtake();
        }
        return true;
    }

    private void addUnstored(ReferenceChunk chunk, Message message, @Nullable DeliveryOptions options) {
        int sizeBytes = message.sizeBytes();
        int index = chunk.add(NOT_STORED, 0, sizeBytes, message.expiryDeadlineNs(), options);
        chunk.keep(index, message);
        size++;
        unstoredBytes += sizeBytes;
        heapBytes += sizeBytes;
    }

    private void countStored(int sizeBytes) {
        size++;
        stored++;
        storedBytes += sizeBytes;
    }

    private void keepOrNot(ReferenceChunk chunk, int index, Message message, boolean mayGoAhead) {
        int sizeBytes = message.sizeBytes();
        if (room.limits().allowsBuffered(heapBytes + sizeBytes) && store.keepInMemory(sizeBytes)) {
            chunk.keep(index, message);
            keptCount++;
            heapBytes += sizeBytes;
        } else if (mayGoAhead && hasRoomAhead(sizeBytes)) {
            keepAhead(chunk, index, message);
        } else {
            absent++;
        }
    }

    private void keepAhead(ReferenceChunk chunk, int index, Message message) {
        chunk.keepAhead(index, message);
        aheadCount++;
        aheadBytes += message.sizeBytes();
        heapBytes += message.sizeBytes();
    }

    private void uncountKept(Message message) {
        keptCount--;
        heapBytes -= message.sizeBytes();
        store.letGo(message.sizeBytes());
    }

    private boolean hasRoomAhead(int sizeBytes) {
        ReadAheadLimits limits = durability.limits();
        return aheadCount < limits.maxMessages() && aheadBytes + sizeBytes <= limits.maxBytes();
    }

    private void uncountAhead(Message message) {
        aheadCount--;
        aheadBytes -= message.sizeBytes();
        heapBytes -= message.sizeBytes();
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
        quiet -= quiet > 0 ? 1 : 0;
        letGo(chunk, index);
    }

    private void letGo(ReferenceChunk chunk, int index) {
        Message kept = chunk.takeKept(index);
        if (kept != null) {
            if (chunk.isStored(index)) {
                uncountKept(kept);
            } else {
                heapBytes -= kept.sizeBytes();
            }
            return;
        }
        Message ahead = chunk.takeAhead(index);
        if (ahead != null) {
            uncountAhead(ahead);
        } else {
            absent--;
        }
    }

    private boolean hasEnoughAhead() {
        ReadAheadLimits limits = durability.limits();
        return aheadCount > limits.maxMessages() / 2 || aheadBytes > limits.maxBytes() / 2;
    }

    /** Collects what to read: the first in any case, and of the next as many as there is room for. */
    private ReadRequest lookAhead() {
        ReadAheadLimits limits = durability.limits();
        ReadRequest request = new ReadRequest(Math.max(1, Math.min(absent, limits.maxMessages() - aheadCount)));
        long roomBytes = limits.maxBytes() - aheadBytes;
        int looked = 0;
        boolean room = true;
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null && room; chunk = chunk.next()) {
            for (int i = chunk.head(); i < chunk.tail() && room; i++) {
                if (!chunk.isInMemory(i)) {
                    room = looked == 0 || request.bytes() + chunk.sizeBytes(i) <= roomBytes;
                    if (room) {
                        request.add(chunk, i);
                    }
                }
                looked++;
                room &= looked < LOOK_AHEAD && !request.isFull();
            }
        }
        quiet = looked / 2;
        return request;
    }
}
