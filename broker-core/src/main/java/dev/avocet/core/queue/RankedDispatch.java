package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.ranked.EntryTable;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.QueueEntry.State;
import dev.avocet.core.queue.ranked.RankedChunk;
import dev.avocet.core.queue.ranked.RankedCursor;
import dev.avocet.core.queue.ranked.RankedReferences;
import dev.avocet.core.queue.ranked.RankedSnapshot;
import dev.avocet.core.queue.ranked.ScanPosition;
import dev.avocet.core.queue.receiver.Receiver;
import dev.avocet.core.queue.receiver.ReceiverEnd;
import dev.avocet.core.queue.receiver.ReceiverHost;
import dev.avocet.core.queue.receiver.ReceiverRequest;
import dev.avocet.core.queue.receiver.Receivers;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.receiver.Settlements;
import dev.avocet.core.queue.reference.DeliveryNotes;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.core.queue.room.QueueFigures;
import dev.avocet.core.queue.room.QueueRoom;
import dev.avocet.core.queue.transit.DelayedEntries;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.Unsettled;
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
 * looking in its next turn; or what a receiver had that has gone is {@linkplain Departures on its way back}. So a
 * message that arrives need only be offered once, and a receiver that gets credit need only look at what it has not
 * seen: {@link ScanPosition}.
 *
 * <p>Home loop.
 */
final class RankedDispatch implements Dispatch, ReceiverHost {
    private final RankedQueue queue;
    private final QueueRoom room;
    private final RankedReferences waiting;
    /** In flight or delayed. */
    private final EntryTable entries = new EntryTable();

    private final Holdings holdings;
    private final Receivers receivers = new Receivers();
    private final EntryCourse course;
    private final RankedServing serving;
    private final RankedSweeps sweeps;
    private final RankedShedding shedding;
    private final RankedAdministration administration;
    private final Departures departures;
    private final RankedCursor cursor = new RankedCursor();

    private long unstoredNumbers;

    RankedDispatch(RankedQueue queue, QueueRoom room, QueueFigures figures, QueueNeighbours neighbours) {
        this.queue = queue;
        this.room = room;
        this.waiting = new RankedReferences(queue::pages);
        this.holdings = new Holdings(queue, room, figures, waiting, entries);
        this.course = new EntryCourse(queue, waiting, entries, holdings, receivers, neighbours);
        this.serving = course.serving();
        this.shedding = new RankedShedding(waiting, entries, holdings);
        this.sweeps = new RankedSweeps(queue, waiting, entries, course, holdings::show);
        this.departures = new Departures(queue::home, waiting, course, receivers);
        this.administration = new RankedAdministration(waiting, entries, holdings, course);
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
    public void put(Message message, @Nullable DeliveryOptions options) {
        if (room.isClosed()) {
            room.release();
            return;
        }
        course.arrive(unstored(message, options == null ? Standing.of(message) : DeliveryOptions.standingOf(options)));
    }

    @Override
    public void put(MessageRun run) {
        if (room.isClosed()) {
            room.release(run.size());
            return;
        }
        course.countArrived(run.size());
        for (int i = 0; i < run.size(); i++) {
            Message message = run.get(i);
            course.enter(unstored(message, Standing.of(message)));
        }
        holdings.show();
    }

    private QueueEntry unstored(Message message, Standing standing) {
        boolean isDeadLetter = standing.deadLetter() != null;
        return new QueueEntry(
                --unstoredNumbers, message, isDeadLetter ? Message.NEVER : message.expiryDeadlineNs(), standing);
    }

    @Override
    public void putStored(
            @Nullable Message message,
            @Nullable DeliveryOptions options,
            long reference,
            long position,
            int storedBytes,
            long deadlineNs) {
        if (room.isClosed()) {
            queue.durability().store().abandoned(position, storedBytes);
            room.release();
            return;
        }
        Standing standing = DeliveryOptions.standingOf(options);
        boolean expires = standing.deadLetter() == null;
        QueueEntry entry = new QueueEntry(reference, message, expires ? deadlineNs : Message.NEVER, standing);
        entry.position = position;
        entry.storedBytes = storedBytes;
        course.arrive(entry);
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
    public boolean settle(long reference) {
        QueueEntry entry = course.inFlight(reference);
        if (entry == null) {
            return false;
        }
        course.ends().acknowledge(entry);
        return true;
    }

    @Override
    public void noteDelivered(long[] references) {
        DeliveryNotes notes = new DeliveryNotes();
        for (long reference : references) {
            QueueEntry entry = course.inFlight(reference);
            if (entry != null && entry.isStored() && !entry.noted) {
                entry.noted = true;
                notes.add(reference, entry.standing.deliveryCount() + 1);
            }
        }
        notes.write(queue.durability(), home());
    }

    @Override
    public void endCommitted(long reference) {
        QueueEntry entry = course.inFlight(reference);
        if (entry != null) {
            course.ends().committed(entry);
        }
        if (entry != null || room.isClosed()) {
            room.release();
        }
    }

    @Override
    public void giveBack(List<Unsettled> messages) {
        serving.gather();
        for (int i = messages.size() - 1; i >= 0; i--) { // the last one first: each is put before it then
            course.returned(messages.get(i).reference());
        }
        serving.serveAll();
    }

    @Override
    public void giveBackAbsent(long[] references) {
        serving.gather();
        for (int i = references.length - 1; i >= 0; i--) {
            course.returned(references[i]);
        }
        serving.serveAll();
    }

    @Override
    public void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        if (DelayedEntries.isAhead(DeliveryOptions.standingOf(options).notBeforeWallMs(), home())) {
            QueueEntry entry = course.restored(reference, position, storedBytes, expiryDeadlineNs, options);
            holdings.enter(entry);
            course.delay(entry);
        } else {
            waiting.add(reference, position, storedBytes, expiryDeadlineNs, options, course.nextOrder());
            holdings.enter(storedBytes);
        }
        queue.noteExpiry(expiryDeadlineNs);
        holdings.show();
    }

    @Override
    public void restoreInFlight(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        QueueEntry entry = course.restored(reference, position, storedBytes, expiryDeadlineNs, options);
        entry.state = State.IN_FLIGHT;
        entries.put(entry);
    }

    @Override
    public QueueSnapshot snapshot() {
        return new RankedSnapshot(queue.durability(), entries, waiting);
    }

    @Override
    public ReferenceSearch search(long from, long until) {
        EntryTable.Walk walk = entries.view().walk();
        ReferenceSearch.Others others = visitor -> {
            walk.forEach(RankedSnapshot.ENTRIES_PER_TURN, entry -> {
                if (entry.isStored()) {
                    visitor.onReference(
                            entry.number, entry.position, entry.storedBytes, entry.deadlineNs, entry.options());
                }
            });
            return !walk.isOver();
        };
        return new ReferenceSearch(from, until, others, waiting.viewsIn(from, until));
    }

    @Override
    public boolean moved(long reference, long newPosition, int storedBytes) {
        QueueEntry entry = entries.get(reference);
        QueueStore store = queue.durability().store();
        if (entry != null && newPosition > entry.position) {
            store.abandoned(entry.position, entry.storedBytes);
            holdings.resized(entry.state == State.DELAYED ? storedBytes - entry.storedBytes : 0);
            entry.position = newPosition;
            entry.storedBytes = storedBytes;
        } else if (entry == null && waiting.find(cursor, reference) && newPosition > positionAtCursor()) {
            store.abandoned(positionAtCursor(), cursor.chunk().sizeBytes(cursor.index()));
            holdings.resized(storedBytes - cursor.chunk().sizeBytes(cursor.index()));
            cursor.chunk().move(cursor.index(), newPosition, storedBytes);
        } else {
            return false;
        }
        holdings.show();
        return true;
    }

    private long positionAtCursor() {
        return cursor.chunk().position(cursor.index());
    }

    @Override
    public boolean shedPayloads(int most) {
        return shedding.turn(most);
    }

    @Override
    public boolean lose(long reference, long position) {
        QueueEntry entry = entries.get(reference);
        if (entry != null) {
            if (entry.state != State.DELAYED || entry.position != position) {
                return false;
            }
            course.unplace(entry);
        } else if (waiting.find(cursor, reference)
                && positionAtCursor() == position
                && !serving.isReading(cursor.order())) {
            entry = course.takeFrom(cursor);
        } else {
            return false;
        }
        course.ends().lose(entry);
        holdings.show();
        return true;
    }

    @Override
    public void removeExpired(long nowNs) {
        sweeps.begin(nowNs);
    }

    @Override
    public int close() {
        int ended = holdings.size() + departures.close();
        for (Receiver receiver : receivers.all()) {
            ended += receiver.held().clear();
        }
        List<RankedChunk> chunks = waiting.takeAll();
        if (queue.durableId() != DeliverySource.NOT_STORED) {
            new AbandonedReferences(chunks, entries.view().walk(), queue.durability(), home()).turn();
        }
        entries.clear();
        course.clear();
        for (Receiver receiver : receivers.all()) {
            receiver.attached(false);
            end(receiver, ReceiverEnd.QUEUE_DELETED);
        }
        receivers.clear();
        holdings.clear();
        return ended;
    }

    // ---- receivers

    @Override
    public void attach(Receiver receiver) {
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

    @Override
    public void apply(Receiver receiver, ReceiverRequest request) {
        assert home().inLoop() : queue + " used by another thread than its home's";
        if (!receiver.isAttached()) {
            return;
        }
        settle(receiver, request.settled());
        if (request.revoke()) {
            receiver.revoke();
        }
        receiver.grant(request.credit());
        receiver.draining(receiver.isDraining() || request.drain());
        serving.serve(receiver);
        holdings.show();
        room.wakeIfRoom();
    }

    @Override
    public void detach(Receiver receiver, Settlement unsettled, long seen) {
        if (!receiver.isAttached()) {
            return;
        }
        receiver.attached(false);
        departures.begin(receiver, unsettled, seen, receivers.remove(receiver));
    }

    /** Ends what waits, or moves it elsewhere, as an administrator wants. */
    RankedAdministration administration() {
        return administration;
    }

    private void settle(Receiver receiver, Settlements settled) {
        if (settled.size() > 0) {
            ReceiverSettling settling = new ReceiverSettling(course, receiver);
            settled.forEach(settling);
            if (settling.accepted() > 0) {
                room.release(settling.accepted());
            }
        }
    }

    private void end(Receiver receiver, ReceiverEnd reason) {
        home().post(receiver.loop(), () -> receiver.port().onEnded(reason));
    }

    @Override
    public IoLoop home() {
        return queue.home();
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
