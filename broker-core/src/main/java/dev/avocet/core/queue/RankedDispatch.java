package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.QueueEntry.State;
import dev.avocet.core.queue.ReceiverRequest.Settled;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How queues by name have it: the most urgent first, receivers that choose what they want, and deliveries that may
 * fail.
 *
 * <p>What waits is {@link RankedReferences}; what is in flight or delayed stands in a table by number.
 *
 * <p>Invariant, once a call has returned: no receiver with credit has a message waiting that it may get, unless it is
 * {@linkplain Receiver#isBlocked blocked}, as what comes before is on its way back from the store, or as it goes on
 * looking in its next turn. So a message that arrives need only be offered once, and a receiver that gets credit need
 * only look at what it has not seen: {@link ScanPosition}.
 *
 * <p>Home loop.
 */
final class RankedDispatch implements Dispatch {
    private final MessageQueue queue;
    private final QueueRoom room;
    private final QueueFigures figures;
    private final RankedReferences waiting;
    /** In flight or delayed. */
    private final EntryTable entries = new EntryTable();

    private final DelayedEntries<QueueEntry> delayed;
    private final Holdings holdings;
    private final Receivers receivers = new Receivers();
    private final LastValues lastValues = new LastValues();
    private final RankedOrders orders = new RankedOrders();
    private final EntryEnds ends;
    private final DeadLetters deadLetters;
    private final RankedServing serving;
    private final RankedSweeps sweeps;
    private final RankedCursor cursor = new RankedCursor();

    private long unstoredNumbers;

    RankedDispatch(MessageQueue queue, QueueRoom room, QueueFigures figures, QueueNeighbours neighbours) {
        this.queue = queue;
        this.room = room;
        this.figures = figures;
        this.waiting = new RankedReferences(queue::pages);
        this.holdings = new Holdings(queue, room, figures, waiting, entries);
        this.delayed = new DelayedEntries<>(queue::home, this::onDue);
        this.ends = new EntryEnds(queue, room, figures, entries, lastValues);
        this.deadLetters = new DeadLetters(queue, neighbours, ends, this::waitAgain);
        this.serving = new RankedServing(
                queue,
                waiting,
                entries,
                holdings,
                receivers,
                orders,
                this::replaceLastValue,
                place -> expire(takeFrom(place)));
        this.sweeps = new RankedSweeps(queue, waiting, serving, place -> expire(takeFrom(place)), holdings::show);
    }

    // ---- what the queue asks of every dispatch

    @Override
    public int consumers() {
        return receivers.count();
    }

    @Override
    public boolean keepsForNobody() {
        return true;
    }

    @Override
    public int waiting() {
        return holdings.size();
    }

    @Override
    public boolean goesStraightOn() {
        return false;
    }

    @Override
    public @Nullable Consumer only() {
        return null;
    }

    @Override
    public void put(Message message, @Nullable DeliveryOptions options) {
        if (room.isClosed()) {
            room.release();
            return;
        }
        Standing standing = options == null ? Standing.of(message) : DeliveryOptions.standingOf(options);
        boolean isDeadLetter = standing.deadLetter() != null;
        arrive(new QueueEntry(
                --unstoredNumbers, message, isDeadLetter ? Message.NEVER : message.expiryDeadlineNs(), standing));
    }

    @Override
    public void putStored(
            @Nullable Message message,
            @Nullable DeliveryOptions options,
            long reference,
            long position,
            int storedBytes) {
        if (room.isClosed()) {
            queue.durability().store().abandoned(position, storedBytes);
            room.release();
            return;
        }
        Standing standing = DeliveryOptions.standingOf(options);
        boolean expires = message != null && standing.deadLetter() == null;
        QueueEntry entry =
                new QueueEntry(reference, message, expires ? message.expiryDeadlineNs() : Message.NEVER, standing);
        entry.position = position;
        entry.storedBytes = storedBytes;
        arrive(entry);
    }

    @Override
    public boolean handOn(Message message, @Nullable DeliveryOptions options) {
        return false;
    }

    @Override
    public void enqueue(Message message, @Nullable DeliveryOptions options) {
        put(message, options);
    }

    @Override
    public void drain() {
        holdings.show(); // everybody was served when something changed
    }

    @Override
    public void attach(Consumer consumer) {
        throw new IllegalStateException(queue + " is received from by receivers");
    }

    @Override
    public boolean detach(Consumer consumer) {
        return false;
    }

    @Override
    public boolean makeReady(Consumer consumer) {
        return false;
    }

    @Override
    public boolean settle(long reference) {
        QueueEntry entry = inFlight(reference);
        if (entry == null) {
            return false;
        }
        ends.acknowledge(entry);
        return true;
    }

    @Override
    public void noteDelivered(long[] references) {
        DeliveryNotes notes = new DeliveryNotes();
        for (long reference : references) {
            QueueEntry entry = inFlight(reference);
            if (entry != null && entry.isStored() && !entry.noted) {
                entry.noted = true;
                notes.add(reference, entry.standing.deliveryCount() + 1);
            }
        }
        notes.write(queue.durability(), home());
    }

    @Override
    public void endCommitted(long reference) {
        QueueEntry entry = inFlight(reference);
        if (entry != null) {
            ends.committed(entry);
        }
        if (entry != null || room.isClosed()) {
            room.release();
        }
    }

    @Override
    public void giveBack(List<Unsettled> messages) {
        serving.gather();
        for (int i = messages.size() - 1; i >= 0; i--) { // the last one first: each is put before it then
            returned(messages.get(i).reference());
        }
        serving.serveAll();
    }

    @Override
    public void giveBackAbsent(long[] references) {
        serving.gather();
        for (int i = references.length - 1; i >= 0; i--) {
            returned(references[i]);
        }
        serving.serveAll();
    }

    @Override
    public void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        if (DelayedEntries.isAhead(DeliveryOptions.standingOf(options).notBeforeWallMs(), home())) {
            QueueEntry entry = restored(reference, position, storedBytes, expiryDeadlineNs, options);
            holdings.enter(entry);
            delay(entry);
        } else {
            waiting.add(reference, position, storedBytes, expiryDeadlineNs, options, orders.next());
            holdings.enter(storedBytes);
        }
        queue.noteExpiry(expiryDeadlineNs);
        holdings.show();
    }

    @Override
    public void restoreInFlight(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        QueueEntry entry = restored(reference, position, storedBytes, expiryDeadlineNs, options);
        entry.state = State.IN_FLIGHT;
        entries.put(entry);
    }

    @Override
    public QueueSnapshot snapshot() {
        return RankedSnapshot.of(queue.durability(), entries, waiting);
    }

    @Override
    public void forEachIn(long from, long until, ReferenceVisitor visitor) {
        entries.forEach(entry -> {
            if (entry.isStored() && entry.position >= from && entry.position < until) {
                visitor.onReference(entry.number, entry.position, entry.storedBytes, entry.deadlineNs, entry.options());
            }
        });
        waiting.forEachIn(from, until, visitor);
    }

    @Override
    public boolean moved(long reference, long newPosition, int storedBytes) {
        QueueEntry entry = entries.get(reference);
        if (entry != null) {
            holdings.resized(entry.state == State.DELAYED ? storedBytes - entry.storedBytes : 0);
            entry.position = newPosition;
            entry.storedBytes = storedBytes;
        } else if (waiting.find(cursor, reference)) {
            holdings.resized(storedBytes - cursor.chunk().storedBytes(cursor.index()));
            cursor.chunk().move(cursor.index(), newPosition, storedBytes);
        } else {
            return false;
        }
        holdings.show();
        return true;
    }

    @Override
    public void shedPayloads() {
        waiting.forEachEntry(holdings::shed);
        delayed.forEach(holdings::shed);
    }

    @Override
    public long lose(long reference) {
        QueueEntry entry = entries.get(reference);
        if (entry != null) {
            if (entry.state != State.DELAYED) {
                return -1;
            }
            unplace(entry);
        } else if (waiting.find(cursor, reference) && !serving.isReading(cursor.order())) {
            entry = takeFrom(cursor);
        } else {
            return -1;
        }
        ends.lose(entry);
        holdings.show();
        return entry.position;
    }

    @Override
    public void removeExpired(long nowNs) {
        List<QueueEntry> expired = new ArrayList<>();
        long[] earliestNs = {Message.NEVER};
        delayed.forEach(entry -> {
            if (entry.hasExpired(nowNs)) {
                expired.add(entry);
            } else {
                earliestNs[0] = Math.min(earliestNs[0], entry.deadlineNs);
            }
        });
        for (QueueEntry entry : expired) {
            unplace(entry);
            expire(entry);
        }
        sweeps.begin(nowNs, earliestNs[0]);
        holdings.show();
    }

    @Override
    public int close() {
        int ended = holdings.size();
        List<QueueEntry> others = entries.all();
        for (QueueEntry entry : others) {
            ended += entry.holder() == null ? 0 : 1;
            entry.holder(null);
        }
        List<RankedChunk> chunks = waiting.takeAll();
        if (queue.durableId() != DeliverySource.NOT_STORED) {
            new AbandonedReferences(chunks, others, queue.durability(), home()).turn();
        }
        entries.clear();
        delayed.clear();
        lastValues.clear();
        deadLetters.clear();
        for (Receiver receiver : receivers.all()) {
            receiver.attached(false);
            end(receiver, ReceiverEnd.QUEUE_DELETED);
        }
        receivers.clear();
        holdings.clear();
        return ended;
    }

    // ---- receivers

    void attach(Receiver receiver) {
        assert home().inLoop() : queue + " attached to by another thread than its home's";
        boolean browses = receiver.options().browses();
        if (room.isClosed()) {
            end(receiver, ReceiverEnd.QUEUE_DELETED);
        } else if (!browses && !queue.settings().concurrent() && receivers.takers() > 0) {
            end(receiver, ReceiverEnd.QUEUE_IN_USE);
        } else {
            receiver.attached(true);
            receivers.add(receiver);
            home().post(receiver.loop(), receiver.port()::onAttached);
        }
    }

    /** What a receiver has done in a batch. */
    void apply(Receiver receiver, ReceiverRequest request) {
        assert home().inLoop() : queue + " used by another thread than its home's";
        if (!receiver.isAttached()) {
            return;
        }
        for (Settled settled : request.settled()) {
            settle(receiver, settled);
        }
        if (request.revoke()) {
            receiver.revoke();
        }
        receiver.grant(request.credit());
        receiver.draining(receiver.isDraining() || request.drain());
        serving.serve(receiver);
        holdings.show();
        room.wakeIfRoom();
    }

    /** A receiver goes; what it has not seen goes back as if it had never been sent. */
    void detach(Receiver receiver, Settlement unsettled, long seen) {
        if (!receiver.isAttached()) {
            return;
        }
        receiver.attached(false);
        boolean freed = receivers.remove(receiver);
        for (QueueEntry entry : receiver.takeRefused()) {
            entry.forget(receiver);
            waiting.forget(entry);
        }
        List<QueueEntry> held = new ArrayList<>();
        for (QueueEntry entry = receiver.held().first(); entry != null; entry = entry.next) {
            held.add(entry);
        }
        held.sort(Comparator.comparingLong((QueueEntry entry) -> entry.order).reversed());
        serving.gather();
        for (QueueEntry entry : held) {
            boolean maybeSeen = entry.deliveryNumber <= seen;
            entry.redelivered |= maybeSeen;
            settle(entry, receiver, maybeSeen ? unsettled : Settlement.RELEASED, null);
        }
        if (freed) {
            receivers.all().forEach(one -> one.scan().forget()); // its groups, or its place as the only one, are free
        }
        serving.serveAll();
    }

    // ---- administration

    /** Ends what waits, and what is delayed, up to a number; returns how many that was. */
    int purge(int most) {
        int gone = 0;
        for (int priority = RankedReferences.HIGHEST; priority >= 0; priority--) {
            boolean more = gone < most && waiting.seek(cursor, priority, 0);
            while (more) {
                long order = cursor.order();
                if (!serving.isReading(order)) {
                    ends.discard(takeFrom(cursor));
                    gone++;
                }
                more = gone < most && waiting.seek(cursor, priority, order);
            }
        }
        for (QueueEntry entry = delayed.first(); entry != null && gone < most; entry = delayed.first()) {
            unplace(entry);
            ends.discard(entry);
            gone++;
        }
        holdings.show();
        return gone;
    }

    /** Ends one message that waits or is delayed; false when there is none of that number, or not now. */
    boolean purge(long reference) {
        QueueEntry entry = entries.get(reference);
        if (entry != null && entry.state == State.DELAYED) {
            unplace(entry);
        } else if (entry == null && waiting.find(cursor, reference) && !serving.isReading(cursor.order())) {
            entry = takeFrom(cursor);
        } else {
            return false;
        }
        ends.discard(entry);
        holdings.show();
        return true;
    }

    /** Moves what waits to another queue, as far as that has room; returns how many that was. */
    int moveTo(MessageQueue target, int most) {
        int moved = 0;
        boolean takes = true;
        for (int priority = RankedReferences.HIGHEST; priority >= 0; priority--) {
            boolean more = takes && moved < most && waiting.seek(cursor, priority, 0);
            while (more) {
                long order = cursor.order();
                if (!serving.isReading(order)) {
                    QueueEntry entry = takeFrom(cursor);
                    takes = deadLetters.move(entry, target, new Standing(entry.priority(), 0, 0, null));
                    if (takes) {
                        moved++;
                    } else {
                        holdings.enter(entry);
                        place(entry);
                    }
                }
                more = takes && moved < most && waiting.seek(cursor, priority, order);
            }
        }
        holdings.show();
        return moved;
    }

    // ---- the life of an entry

    private void arrive(QueueEntry entry) {
        entry.order = orders.next();
        entry.arrival = entry.order;
        figures.countPublished(1, room.depth());
        queue.noteExpiry(entry.deadlineNs);
        replaceLastValue(entry);
        if (delayed.isDelayed(entry)) {
            holdings.enter(entry);
            delay(entry);
        } else {
            serving.offer(entry);
        }
        holdings.show();
    }

    /**
     * A new entry replaces the one with its key that waits; an old one that comes back is not needed if there is a
     * newer.
     */
    private void replaceLastValue(QueueEntry entry) {
        String property = queue.settings().lastValueProperty();
        if (property != null && entry.lastValueKey == null && entry.message != null) {
            QueueEntry before = lastValues.put(entry, entry.message.properties().property(property));
            if (before != null && before.state != State.IN_FLIGHT && !serving.isReading(before.order)) {
                unplace(before);
                ends.discard(before);
            }
        }
    }

    private void settle(Receiver receiver, Settled settled) {
        QueueEntry entry = inFlight(settled.reference());
        if (entry == null || entry.holder() != receiver) {
            return;
        }
        Settlement settlement = settled.settlement();
        if (settlement != null) {
            settle(entry, receiver, settlement, settled.description());
        } else if (entry.standing.deliveryCount() == settled.deliveryCount()) {
            entry.holder(null);
        } // else the transaction was rolled back before this came, and the receiver has it once more
    }

    private void settle(QueueEntry entry, Receiver receiver, Settlement settlement, @Nullable String description) {
        if (settlement == Settlement.ACCEPTED) {
            ends.acknowledge(entry);
            room.release();
        } else if (settlement == Settlement.REJECTED) {
            entry.holder(null);
            deadLetters.end(entry, DeadLetter.Cause.REJECTED, description);
        } else {
            if (settlement.isElsewhere() && receiver.isAttached()) {
                entry.refuse(receiver);
            }
            back(entry, settlement.countsAsFailed());
        }
    }

    /** A transaction that had acknowledged it was rolled back. */
    private void returned(long reference) {
        QueueEntry entry = inFlight(reference);
        if (entry != null) {
            back(entry, true);
        }
    }

    /** An entry in flight was not accepted: it waits again. */
    private void back(QueueEntry entry, boolean failed) {
        entry.holder(null);
        entry.noted = false;
        entry.redelivered |= failed;
        QueueSettings settings = queue.settings();
        if (failed) {
            int failures = entry.standing.deliveryCount() + 1;
            long delayMs = settings.delayAfterMs(failures);
            long notBeforeWallMs = delayMs == 0 ? 0 : home().clock().wallTimeMs() + delayMs;
            restand(entry, entry.standing.failed(failures, notBeforeWallMs));
            if (settings.isDead(failures)) {
                deadLetters.end(entry, DeadLetter.Cause.TOO_MANY_DELIVERIES, null);
                return;
            }
        }
        if (lastValues.isOutdated(entry)) {
            ends.discard(entry);
            return;
        }
        waitAgain(entry);
    }

    /** An entry that was in flight waits, until its time has come or for a receiver. */
    private void waitAgain(QueueEntry entry) {
        queue.noteExpiry(entry.deadlineNs);
        if (delayed.isDelayed(entry)) {
            holdings.enter(entry);
            delay(entry);
        } else {
            entry.arrival = orders.next();
            serving.offer(entry);
        }
        holdings.show();
    }

    private void restand(QueueEntry entry, Standing standing) {
        entry.standing = standing;
        if (entry.isStored()) {
            deadLetters.write(entry);
        }
    }

    private void delay(QueueEntry entry) {
        entry.state = State.DELAYED;
        entries.put(entry);
        delayed.add(entry);
    }

    private void onDue(QueueEntry entry) {
        holdings.leave(entry);
        if (deadLetters.isPending(entry)) {
            deadLetters.tryAgain(entry);
            return;
        }
        entry.arrival = orders.next();
        if (entry.standing.deliveryCount() == 0) {
            entry.order = entry.arrival; // it arrives only now
        }
        serving.offer(entry);
        holdings.show();
    }

    /** An entry that is in no list has expired. */
    private void expire(QueueEntry entry) {
        figures.countExpired(1, home());
        deadLetters.end(entry, DeadLetter.Cause.EXPIRED, null);
    }

    /** Puts an entry that is counted already where it waits. */
    private void place(QueueEntry entry) {
        entry.arrival = orders.next();
        if (delayed.isDelayed(entry)) {
            delay(entry);
        } else {
            waiting.add(entry);
        }
    }

    /** Takes away what stands at a place, as an entry. */
    private QueueEntry takeFrom(RankedCursor place) {
        QueueEntry entry = waiting.take(place);
        holdings.leave(entry);
        return entry;
    }

    /** Takes an entry that waits from where it does. */
    private void unplace(QueueEntry entry) {
        if (entry.state == State.DELAYED) {
            delayed.remove(entry);
            deadLetters.forget(entry);
        } else {
            waiting.remove(entry);
        }
        holdings.leave(entry);
    }

    private QueueEntry restored(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        QueueEntry entry = new QueueEntry(reference, null, expiryDeadlineNs, DeliveryOptions.standingOf(options));
        entry.position = position;
        entry.storedBytes = storedBytes;
        entry.order = orders.next();
        entry.arrival = entry.order;
        return entry;
    }

    private @Nullable QueueEntry inFlight(long reference) {
        QueueEntry entry = entries.get(reference);
        return entry == null || entry.state != State.IN_FLIGHT ? null : entry;
    }

    private void end(Receiver receiver, ReceiverEnd reason) {
        home().post(receiver.loop(), () -> receiver.port().onEnded(reason));
    }

    private IoLoop home() {
        return queue.home();
    }
}
