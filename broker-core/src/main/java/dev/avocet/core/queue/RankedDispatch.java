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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How queues by name have it: the most urgent first, receivers that choose what they want, and deliveries that may
 * fail.
 *
 * <p>Invariant, once a call has returned: no receiver with credit has a message waiting that it may get, unless it is
 * {@linkplain Receiver#isBlocked blocked}, as what comes before is on its way back from the store. So a message that
 * arrives need only be offered once, and a receiver that gets credit need only look at what it has not seen:
 * {@link ScanPosition}.
 *
 * <p>Home loop.
 */
final class RankedDispatch implements Dispatch {
    private final MessageQueue queue;
    private final QueueRoom room;
    private final QueueFigures figures;
    private final Map<Long, QueueEntry> entries = new HashMap<>();
    private final EntryLists waiting = new EntryLists();
    private final DelayedEntries<QueueEntry> delayed;
    private final Holdings holdings;
    private final Receivers receivers = new Receivers();
    private final ReadBack readBack;
    private final LastValues lastValues = new LastValues();
    private final DeadLetters deadLetters;

    /** Several entries come back together: who gets them is decided when all are in their places. */
    private boolean gathering;

    private long orders;
    private long arrivals;
    private long unstoredNumbers;

    RankedDispatch(MessageQueue queue, QueueRoom room, QueueFigures figures, QueueNeighbours neighbours) {
        this.queue = queue;
        this.room = room;
        this.figures = figures;
        this.holdings = new Holdings(queue, room, figures);
        this.delayed = new DelayedEntries<>(queue::home, this::onDue);
        this.readBack = new ReadBack(queue, holdings, this::replaceLastValue, this::serve);
        this.deadLetters = new DeadLetters(queue, neighbours, this);
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
        acknowledge(entry);
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
            if (entry.isStored()) {
                queue.durability().store().abandoned(entry.position, entry.storedBytes);
            }
            over(entry);
            figures.countConsumed();
        }
        if (entry != null || room.isClosed()) {
            room.release();
        }
    }

    @Override
    public void giveBack(List<Unsettled> messages) {
        gathering = true;
        for (int i = messages.size() - 1; i >= 0; i--) { // the last one first: each is put before it then
            returned(messages.get(i).reference());
        }
        serveAll();
    }

    @Override
    public void giveBackAbsent(long[] references) {
        gathering = true;
        for (int i = references.length - 1; i >= 0; i--) {
            returned(references[i]);
        }
        serveAll();
    }

    @Override
    public void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        QueueEntry entry = restored(reference, position, storedBytes, expiryDeadlineNs, options);
        holdings.enter(entry);
        place(entry);
        queue.noteExpiry(expiryDeadlineNs);
        holdings.show();
    }

    @Override
    public void restoreInFlight(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        restored(reference, position, storedBytes, expiryDeadlineNs, options).state = State.IN_FLIGHT;
    }

    @Override
    public QueueSnapshot snapshot() {
        return EntrySnapshot.of(queue.durability(), entries.values());
    }

    @Override
    public void forEachIn(long from, long until, ReferenceVisitor visitor) {
        for (QueueEntry entry : entries.values()) {
            if (entry.isStored() && entry.position >= from && entry.position < until) {
                visitor.onReference(entry.number, entry.position, entry.storedBytes, entry.deadlineNs, entry.options());
            }
        }
    }

    @Override
    public boolean moved(long reference, long newPosition, int storedBytes) {
        QueueEntry entry = entries.get(reference);
        if (entry == null) {
            return false;
        }
        holdings.moved(entry, storedBytes);
        entry.position = newPosition;
        entry.storedBytes = storedBytes;
        holdings.show();
        return true;
    }

    @Override
    public void shedPayloads() {
        waiting.forEach(holdings::shed);
        delayed.forEach(holdings::shed);
    }

    @Override
    public long lose(long reference) {
        QueueEntry entry = entries.get(reference);
        if (entry == null || entry.state == State.IN_FLIGHT || readBack.isReading(entry)) {
            return -1;
        }
        unplace(entry);
        queue.durability()
                .store()
                .acknowledged(queue.durableId(), entry.number, entry.position, entry.storedBytes, home());
        over(entry);
        holdings.show();
        return entry.position;
    }

    @Override
    public void removeExpired(long nowNs) {
        List<QueueEntry> expired = new ArrayList<>();
        long[] earliestNs = {Message.NEVER};
        java.util.function.Consumer<QueueEntry> look = entry -> {
            if (entry.hasExpired(nowNs) && !readBack.isReading(entry)) {
                expired.add(entry);
            } else {
                earliestNs[0] = Math.min(earliestNs[0], entry.deadlineNs);
            }
        };
        waiting.forEach(look);
        delayed.forEach(look);
        expired.forEach(this::expire);
        queue.noteExpiry(earliestNs[0]);
        holdings.show();
    }

    @Override
    public int close() {
        int ended = 0;
        for (QueueEntry entry : List.copyOf(entries.values())) {
            if (entry.isStored()) {
                queue.durability().store().abandoned(entry.position, entry.storedBytes);
            }
            boolean waits = entry.state != State.IN_FLIGHT;
            if (waits) {
                unplace(entry);
            }
            ended += waits || entry.holder != null ? 1 : 0;
        }
        entries.clear();
        delayed.clear();
        lastValues.clear();
        for (Receiver receiver : receivers.all()) {
            receiver.attached(false);
            end(receiver, ReceiverEnd.QUEUE_DELETED);
        }
        receivers.clear();
        holdings.show();
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
        serve(receiver);
        holdings.show();
        room.wakeIfRoom();
    }

    /** A receiver goes; what it has not seen goes back as if it had never been sent. */
    void detach(Receiver receiver, Settlement unsettled, long seen) {
        if (!receiver.isAttached()) {
            return;
        }
        receiver.attached(false);
        receivers.remove(receiver);
        List<QueueEntry> held = new ArrayList<>();
        for (QueueEntry entry : entries.values()) {
            entry.forget(receiver);
            if (entry.state == State.IN_FLIGHT && entry.holder == receiver) {
                held.add(entry);
            }
        }
        held.sort(Comparator.comparingLong((QueueEntry entry) -> entry.order).reversed());
        gathering = true;
        for (QueueEntry entry : held) {
            boolean maybeSeen = entry.deliveryNumber <= seen;
            entry.redelivered |= maybeSeen;
            settle(entry, receiver, maybeSeen ? unsettled : Settlement.RELEASED, null);
        }
        receivers.all().forEach(one -> one.scan().forget()); // its groups, or its place as the only one, are free
        serveAll();
    }

    // ---- administration

    /** Ends what waits and fits; returns how many that was. */
    int purge(Predicate<QueueEntry> which) {
        List<QueueEntry> gone = new ArrayList<>();
        waiting.forEach(entry -> addIf(which, entry, gone));
        delayed.forEach(entry -> addIf(which, entry, gone));
        for (QueueEntry entry : gone) {
            unplace(entry);
            discard(entry);
        }
        holdings.show();
        return gone.size();
    }

    /** Moves what waits to another queue, as far as that has room; returns how many that was. */
    int moveTo(MessageQueue target, int most) {
        List<QueueEntry> all = new ArrayList<>();
        waiting.forEach(entry -> addIf(any -> all.size() < most, entry, all));
        int moved = 0;
        for (QueueEntry entry : all) {
            unplace(entry);
            if (!deadLetters.move(entry, target, new Standing(entry.priority(), 0, 0, null))) {
                holdings.enter(entry);
                place(entry);
                break;
            }
            moved++;
        }
        holdings.show();
        return moved;
    }

    private void addIf(Predicate<QueueEntry> which, QueueEntry entry, List<QueueEntry> to) {
        if (!readBack.isReading(entry) && which.test(entry)) {
            to.add(entry);
        }
    }

    // ---- the life of an entry

    private void arrive(QueueEntry entry) {
        entry.order = ++orders;
        entries.put(entry.number, entry);
        figures.countPublished(1, room.depth());
        queue.noteExpiry(entry.deadlineNs);
        replaceLastValue(entry);
        if (delayed.isDelayed(entry)) {
            holdings.enter(entry);
            delay(entry);
        } else {
            offer(entry);
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
            if (before != null && before.state != State.IN_FLIGHT && !readBack.isReading(before)) {
                unplace(before);
                discard(before);
            }
        }
    }

    /** Hands an entry to somebody, or has it wait. */
    private void offer(QueueEntry entry) {
        entry.arrival = ++arrivals;
        Message message = entry.message;
        Receiver receiver = message == null || gathering ? null : receivers.choose(entry, message);
        if (receiver != null && message != null) {
            deliver(entry, message, receiver);
        } else {
            holdings.enter(entry);
            waiting.add(entry);
            if (message == null && !gathering) {
                serveAll(); // one of them has it read
            }
        }
    }

    /** Everybody gets what has been gathered, or has become free otherwise, the most important first. */
    private void serveAll() {
        gathering = false;
        receivers.inOrder().forEach(this::serve);
        holdings.show();
    }

    private void deliver(QueueEntry entry, Message message, Receiver receiver) {
        entry.state = State.IN_FLIGHT;
        entry.noted = false;
        entry.holder = receiver;
        receivers.got(receiver, message);
        boolean again = entry.redelivered || entry.standing.deliveryCount() > 0;
        receiver.deliver(new QueueDelivery(queue, message, entry.number, entry.standing, again), home());
        entry.deliveryNumber = receiver.deliveries();
    }

    /** Delivers to a receiver until it has no credit or there is nothing for it. */
    void serve(Receiver receiver) {
        receiver.blocked(false);
        if (receiver.options().browses()) {
            browse(receiver);
            return;
        }
        QueueEntry entry = receiver.credit() > 0 ? next(receiver) : null;
        while (entry != null) {
            Message message = entry.message;
            waiting.remove(entry);
            holdings.leave(entry);
            if (message != null) {
                deliver(entry, message, receiver);
            }
            entry = receiver.credit() > 0 ? next(receiver) : null;
        }
        if (receiver.isDraining() && !receiver.isBlocked()) {
            receiver.drained(home());
        }
    }

    /** The next entry for a receiver; null when there is none, or when it is on its way back from the store. */
    private @Nullable QueueEntry next(Receiver receiver) {
        ScanPosition scan = receiver.scan();
        long nowNs = home().clock().nanoTime();
        for (int priority = EntryLists.HIGHEST; priority >= 0; priority--) {
            QueueEntry behind;
            for (QueueEntry entry = scan.begin(waiting.of(priority), priority); entry != null; entry = behind) {
                behind = entry.next;
                if (entry.hasExpired(nowNs) && !readBack.isReading(entry)) {
                    expire(entry);
                    continue;
                }
                if (!scan.hasSeen(entry)) {
                    Message message = entry.message;
                    if (message == null) {
                        readBack.await(entry, receiver);
                        return null;
                    }
                    if (receivers.mayGet(receiver, entry, message)) {
                        return entry;
                    }
                }
                scan.passed(entry, priority);
            }
        }
        scan.complete(arrivals);
        return null;
    }

    private void browse(Receiver receiver) {
        if (receiver.credit() > 0 && !receiver.hasBegunBrowsing()) {
            receiver.browse(numbersWaiting()); // not before: a client may make its browser long before it looks
        }
        while (receiver.credit() > 0) {
            QueueEntry entry = entries.get(receiver.nextToBrowse());
            if (entry == null && receiver.nextToBrowse() == DeliverySource.NOT_STORED) {
                if (receiver.endBrowsing() || receiver.isDraining()) {
                    receiver.drained(home());
                }
                return;
            }
            if (entry != null && entry.state == State.WAITING) {
                Message message = entry.message;
                if (message == null) {
                    readBack.await(entry, receiver);
                    return;
                }
                if (receiver.selects(message)) {
                    boolean again = entry.redelivered || entry.standing.deliveryCount() > 0;
                    receiver.deliver(new QueueDelivery(queue, message, entry.number, entry.standing, again), home());
                }
            }
            receiver.browsedOne();
        }
        if (receiver.isDraining()) {
            receiver.drained(home());
        }
    }

    private long[] numbersWaiting() {
        List<QueueEntry> all = new ArrayList<>(holdings.size());
        waiting.forEach(all::add);
        return all.stream().mapToLong(entry -> entry.number).toArray();
    }

    private void settle(Receiver receiver, Settled settled) {
        QueueEntry entry = inFlight(settled.reference());
        if (entry == null || entry.holder != receiver) {
            return;
        }
        Settlement settlement = settled.settlement();
        if (settlement != null) {
            settle(entry, receiver, settlement, settled.description());
        } else if (entry.standing.deliveryCount() == settled.deliveryCount()) {
            entry.holder = null;
        } // else the transaction was rolled back before this came, and the receiver has it once more
    }

    private void settle(QueueEntry entry, Receiver receiver, Settlement settlement, @Nullable String description) {
        if (settlement == Settlement.ACCEPTED) {
            acknowledge(entry);
            room.release();
        } else if (settlement == Settlement.REJECTED) {
            entry.holder = null;
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
        entry.holder = null;
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
            discard(entry);
            return;
        }
        waitAgain(entry);
    }

    /** An entry that was in flight waits, until its time has come or for a receiver. */
    void waitAgain(QueueEntry entry) {
        queue.noteExpiry(entry.deadlineNs);
        if (delayed.isDelayed(entry)) {
            holdings.enter(entry);
            delay(entry);
        } else {
            offer(entry);
        }
        holdings.show();
    }

    void restand(QueueEntry entry, Standing standing) {
        entry.standing = standing;
        if (entry.isStored()) {
            deadLetters.write(entry);
        }
    }

    private void delay(QueueEntry entry) {
        entry.state = State.DELAYED;
        delayed.add(entry);
    }

    private void onDue(QueueEntry entry) {
        holdings.leave(entry);
        if (deadLetters.isPending(entry)) {
            deadLetters.tryAgain(entry);
            return;
        }
        if (entry.standing.deliveryCount() == 0) {
            entry.order = ++orders; // it arrives only now
        }
        offer(entry);
        holdings.show();
    }

    private void expire(QueueEntry entry) {
        unplace(entry);
        figures.countExpired(1, home());
        deadLetters.end(entry, DeadLetter.Cause.EXPIRED, null);
    }

    /** Ends an entry that is in no list and that nobody will miss. */
    void discard(QueueEntry entry) {
        figures.countDiscarded(1, home());
        acknowledgeInStore(entry);
        over(entry);
        room.release();
    }

    /** The same for one of which the figures know already. */
    void drop(QueueEntry entry) {
        acknowledgeInStore(entry);
        over(entry);
        room.release();
    }

    /** An entry has gone to another queue, as the store knows. */
    void transferred(QueueEntry entry) {
        over(entry);
        room.release();
    }

    private void acknowledge(QueueEntry entry) {
        acknowledgeInStore(entry);
        over(entry);
        figures.countConsumed();
    }

    private void acknowledgeInStore(QueueEntry entry) {
        if (entry.isStored()) {
            queue.durability()
                    .store()
                    .acknowledged(queue.durableId(), entry.number, entry.position, entry.storedBytes, home());
        }
    }

    private void over(QueueEntry entry) {
        entry.state = State.OVER;
        entry.holder = null;
        entry.message = null;
        entries.remove(entry.number);
        lastValues.remove(entry);
        deadLetters.forget(entry);
    }

    /** Puts an entry that is counted already where it waits. */
    private void place(QueueEntry entry) {
        entry.arrival = ++arrivals;
        if (delayed.isDelayed(entry)) {
            delay(entry);
        } else {
            waiting.add(entry);
        }
    }

    /** Takes an entry that waits from where it does. */
    private void unplace(QueueEntry entry) {
        if (entry.state == State.DELAYED) {
            delayed.remove(entry);
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
        entry.order = ++orders;
        entries.put(reference, entry);
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
