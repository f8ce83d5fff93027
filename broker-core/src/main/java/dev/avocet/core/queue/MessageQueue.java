package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages waiting for somebody: an exclusive subscription, a shared subscription, later a JMS queue.
 *
 * <p>Many threads put, one drains: the <em>home</em> loop, which is the consumer's loop where there is one consumer. A put on the
 * home loop with an empty queue and a ready consumer goes straight to that consumer. A put elsewhere goes through an inbox and wakes
 * the home loop once per batch. Nothing here locks.
 *
 * <p>Invariants: {@code depth} = granted reservations not yet put + inbox + waiting + in flight, so the bound holds whatever thread
 * a message is on; waiting messages and the inbox are delivered in the order in which they were put; a ready consumer and a waiting
 * message never coexist once {@link #drain} has returned, unless that message is on its way back from the store.
 *
 * <p>A {@linkplain #makeDurable durable} queue holds references into a {@link QueueStore} and only some of the messages: see
 * {@link DurableLine}.
 *
 * <p>Threads: {@link #reserve}, {@link #reserveUnstored}, {@link #release}, {@link #put}, {@link #putStored}, {@link #offer}, {@link #settle},
 * {@link #settleCommitted}, {@link #takeRoom}, {@link #giveBackReferences}, {@link #makeDurable}, {@link #nextReference},
 * {@link #statistics} and {@link #limits} may be used anywhere; the rest belongs to the home loop.
 */
public final class MessageQueue implements DeliverySource {
    private static final VarHandle INBOX;
    private static final VarHandle DURABILITY;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INBOX = lookup.findVarHandle(MessageQueue.class, "inbox", Inbox.class);
            DURABILITY = lookup.findVarHandle(MessageQueue.class, "durability", Durability.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final QueueRoom room;
    private final QueueFigures figures = new QueueFigures();
    private final int neverAcknowledgingMultiple;

    // any thread
    private volatile IoLoop home;
    private volatile @Nullable Inbox inbox;
    private volatile @Nullable Durability durability;

    // home loop
    private final Consumers consumers = new Consumers();
    private WaitingLine waiting = new MemoryLine();
    private @Nullable ExpirySweep expirySweep;
    private @Nullable Runnable feeder;

    /**
     * @param name for people: statistics and log lines
     * @param neverAcknowledgingMultiple a consumer that acknowledges nothing while this many times the maximum number of messages has
     *     been lost to the full queue is disconnected; 0 for never
     */
    public MessageQueue(String name, IoLoop home, QueueLimits limits, int neverAcknowledgingMultiple) {
        this.name = name;
        this.home = home;
        this.room = new QueueRoom(limits);
        this.neverAcknowledgingMultiple = neverAcknowledgingMultiple;
    }

    public String name() {
        return name;
    }

    /** The loop that drains. Changes when the one consumer reconnects through another loop. */
    public IoLoop home() {
        return home;
    }

    public QueueLimits limits() {
        return room.limits();
    }

    /** Replaces the limits; they hold from the next message on. Any thread. */
    public void limits(QueueLimits limits) {
        room.limits(limits);
    }

    /**
     * Takes room for one message, which will be stored if the queue is durable, and so needs memory for hardly more than its reference.
     * {@link Reservation#GRANTED} obliges the caller to {@link #put} or {@link #release}; so a publisher can first make sure that every
     * queue has room and only then hand the message to any. Any thread.
     */
    public Reservation reserve() {
        MemoryGuard memory = home.memory();
        return room.reserve(durability == null ? memory.buffersMessages() : memory.storesMessages());
    }

    /** As {@link #reserve}, for a message that is not stored even if the queue is durable. Any thread. */
    public Reservation reserveUnstored() {
        return room.reserve(home.memory().buffersMessages());
    }

    /**
     * True when a publisher of a message that may be lost should rather wait: the queue is full, asks for that, and somebody is there
     * to drain it. Any thread.
     */
    public boolean slowsPublishers(IoLoop caller) {
        if (limits().behavior() != FullBehavior.BACKPRESSURE || consumers.count() == 0 || hasRoom()) {
            return false;
        }
        boolean goesStraightOn = home == caller && waiting.isEmpty() && consumers.anyReady();
        return !goesStraightOn && home.memory().buffersMessages();
    }

    /** Takes room for one message whether there is any or not, as it was granted in an earlier life. Any thread. */
    public void takeRoom() {
        room.take();
    }

    /** Gives a granted reservation back unused. Any thread. */
    public void release() {
        room.release();
    }

    /** Counts a message that found the queue full. Any thread. */
    public void countRejected(IoLoop caller) {
        figures.countRejected(caller);
        noteMissed(1);
    }

    /**
     * Hands over a message for which room was granted.
     *
     * @param options how to deliver it, or null for the consumer's own way
     * @param caller the loop of the calling thread
     */
    public void put(Message message, @Nullable DeliveryOptions options, IoLoop caller) {
        if (home == caller) {
            takeInbox();
            accept(message, options);
        } else {
            sendHome(RoutedMessage.entry(message, options, NOT_STORED), caller);
        }
    }

    /**
     * Hands over a message that may be lost: if the queue is full it is counted as rejected, if nobody consumes it is not, and nobody
     * waits. Returns whether it was taken.
     */
    public boolean offer(Message message, @Nullable DeliveryOptions options, IoLoop caller) {
        if (consumers.count() == 0) {
            return false; // for a client that is away
        }
        if (home == caller) {
            takeInbox();
            Delivery delivery = waiting.isEmpty() ? consumers.hand(this, message, options, NOT_STORED) : Delivery.BUSY;
            if (delivery != Delivery.BUSY) {
                if (delivery == Delivery.IN_FLIGHT) {
                    room.take();
                }
                figures.countPublished(depth());
                return true;
            }
        }
        if (reserveUnstored() != Reservation.GRANTED) {
            countRejected(caller);
            return false;
        }
        if (home == caller) {
            enqueue(message, options);
        } else {
            sendHome(RoutedMessage.entry(message, options, NOT_STORED), caller);
        }
        return true;
    }

    /** Delivers what waits until the consumers are busy or nothing is left. Home loop. */
    public void drain() {
        assert home.inLoop() : name + " drained by another thread than its home's";
        takeInbox();
        while (!waiting.isEmpty() && consumers.anyReady()) {
            if (hasExpired(waiting.firstDeadlineNs())) {
                waiting.endFirst(home);
                release();
                figures.countExpired(1, home);
                continue;
            }
            Message message = waiting.first();
            if (message == null) {
                break; // on its way back from the store
            }
            Delivery delivery = consumers.hand(this, message, waiting.firstOptions(), waiting.firstReference());
            if (delivery == Delivery.IN_FLIGHT) {
                waiting.handOutFirst();
            } else if (delivery == Delivery.SETTLED) {
                waiting.endFirst(home);
                release();
            }
        }
        if (consumers.count() > 0) {
            waiting.readAhead(home);
        }
        showWaiting();
        room.wakeIfRoom(); // what is in flight has left room for bytes
    }

    @Override
    public void resume(Consumer consumer) {
        assert home.inLoop() : name + " resumed by another thread than its home's";
        if (consumers.makeReady(consumer)) {
            drain();
        }
    }

    @Override
    public void settle(Message message, long reference) {
        figures.noteSettled();
        if (reference == NOT_STORED) {
            release();
        } else if (home.inLoop()) {
            settleStored(reference);
        } else {
            home.execute(() -> settle(message, reference));
        }
    }

    /**
     * A delivery is settled whose acknowledgement the store has already, as it came with the commit of a transaction. A snapshot that is
     * taken from now on does not show it. Any thread.
     *
     * @param caller the loop of the calling thread
     */
    public void settleCommitted(long reference, IoLoop caller) {
        figures.noteSettled();
        if (reference == NOT_STORED) {
            release();
        } else if (home == caller) {
            takeInbox();
            endCommitted(reference);
        } else {
            sendHome(new EndedReference(reference), caller);
        }
    }

    /**
     * Makes the queue survive: from now on what is {@linkplain #putStored put with a reference} is kept in the store. Any thread; only the
     * first call counts.
     *
     * @param id identifies the queue in the store, not {@link #NOT_STORED}
     */
    public void makeDurable(long id, QueueStore store) {
        makeDurable(id, store, ReadAheadLimits.DEFAULT);
    }

    void makeDurable(long id, QueueStore store, ReadAheadLimits readAhead) {
        DURABILITY.compareAndSet(this, null, new Durability(id, store, readAhead));
    }

    @Override
    public long durableId() {
        Durability durability = this.durability;
        return durability == null ? NOT_STORED : durability.queueId();
    }

    /** A number for a reference that is about to be written, greater than all before. Any thread. */
    public long nextReference() {
        return durability().takeReference();
    }

    /**
     * Hands over a message for which room was granted and which lies in the store by now.
     *
     * @param reference from {@link #nextReference}
     * @param position where it lies
     * @param storedBytes how many bytes it takes there
     */
    public void putStored(
            Message message,
            @Nullable DeliveryOptions options,
            long reference,
            long position,
            int storedBytes,
            IoLoop caller) {
        if (home == caller) {
            takeInbox();
            acceptStored(message, options, reference, position, storedBytes);
        } else {
            sendHome(new StoredEntry(message, options, reference, position, storedBytes), caller);
        }
    }

    /**
     * Takes back a reference of an earlier life, in the queue's order, before any message is put. It is taken though the queue be full.
     * Home loop.
     */
    public void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        assert home.inLoop() : name + " restored by another thread than its home's";
        room.take();
        durableLine().restore(reference, position, storedBytes, expiryDeadlineNs, options);
        durability().beginReferencesAt(reference + 1);
        noteExpiry(expiryDeadlineNs);
        figures.noteDepth(depth());
        showWaiting();
    }

    /** Takes back a reference of an earlier life that is in flight still: somebody will settle it. Otherwise as {@link #restore}. */
    public void restoreInFlight(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        assert home.inLoop() : name + " restored by another thread than its home's";
        room.take();
        durableLine().restoreInFlight(reference, position, storedBytes, expiryDeadlineNs, options);
        durability().beginReferencesAt(reference + 1);
        figures.noteDepth(depth());
    }

    /** Numbers for new references begin here at the least. Home loop, before any message is put. */
    public void restoreNextReference(long next) {
        durability().beginReferencesAt(next);
    }

    /** What the queue holds in the store now. Home loop. */
    public QueueSnapshot snapshot() {
        assert home.inLoop() : name + " looked at by another thread than its home's";
        takeInbox();
        return waiting instanceof DurableLine line ? line.snapshot() : LineSnapshot.empty(durability());
    }

    /** Shows the references whose messages lie in a segment, waiting and in flight. Home loop. */
    public void forEachIn(int segment, ReferenceVisitor visitor) {
        assert home.inLoop() : name + " looked at by another thread than its home's";
        takeInbox();
        if (waiting instanceof DurableLine line) {
            line.forEachIn(segment, visitor);
        }
    }

    /** The message of a reference lies elsewhere now; false when the reference is over. Home loop. */
    public boolean moved(long reference, long newPosition, int storedBytes) {
        assert home.inLoop() : name + " changed by another thread than its home's";
        takeInbox();
        boolean present = waiting instanceof DurableLine line && line.move(reference, newPosition, storedBytes);
        showWaiting();
        return present;
    }

    /** Lets messages go out of memory that the store has as well: they are read back when their turn comes. Home loop. */
    public void shedPayloads() {
        assert home.inLoop() : name + " changed by another thread than its home's";
        waiting.shedPayloads(consumers.count() > 0);
        drain();
    }

    /**
     * Ends a reference whose message the disk has damaged, unless a consumer has that already. Home loop.
     *
     * @return false when it does not wait, or cannot be ended now
     */
    public boolean lose(long reference) {
        assert home.inLoop() : name + " changed by another thread than its home's";
        long position = waiting instanceof DurableLine line ? line.lose(reference, home) : -1;
        if (position < 0) {
            return false;
        }
        durability().store().lost(name, position);
        release();
        showWaiting();
        return true;
    }

    /** Ends a reference that nobody can be given the message of, as the disk has damaged it. Home loop. */
    public void loseInFlight(long reference, long position) {
        assert home.inLoop() : name + " changed by another thread than its home's";
        durability().store().lost(name, position);
        settleStored(reference);
    }

    /** Puts messages that a consumer gave up back to the front, in their order. They are still counted. Home loop. */
    public void giveBack(List<Unsettled> messages) {
        assert home.inLoop() : name + " given messages back by another thread than its home's";
        if (isClosed()) {
            messages.forEach(message -> release());
            return;
        }
        if (waiting instanceof MemoryLine line) {
            for (int i = messages.size() - 1; i >= 0; i--) {
                line.addFirst(messages.get(i).message());
            }
        } else {
            durableLine().giveBack(messages, consumers.count() > 0);
        }
        for (Unsettled unsettled : messages) {
            noteExpiry(unsettled.message().expiryDeadlineNs());
        }
        drain();
    }

    /**
     * Puts references that were {@linkplain #restoreInFlight restored in flight} back to the front, in their order; their messages are on
     * disk only. Any thread.
     */
    public void giveBackReferences(long[] references) {
        if (!home.inLoop()) {
            home.execute(() -> giveBackReferences(references));
            return;
        }
        if (isClosed()) {
            room.release(references.length);
            return;
        }
        noteExpiry(durableLine().giveBackAbsent(references));
        drain();
    }

    /** Adds a consumer, ready for messages, and delivers to it what waits. Home loop. */
    public void attach(Consumer consumer) {
        assert home.inLoop() : name + " attached to by another thread than its home's";
        consumers.add(consumer);
        figures.noteSettled();
        drain();
    }

    /** Takes a consumer away. What it holds in flight stays counted until it is settled or given back. Home loop. */
    public void detach(Consumer consumer) {
        assert home.inLoop() : name + " detached from by another thread than its home's";
        if (consumers.remove(consumer) && consumers.count() == 0) {
            waiting.forgetReadAhead();
            showWaiting();
            room.wakeAll(); // what may be lost need not wait for somebody who is away
        }
    }

    /** Makes another loop the home; from here on only that one may drain. Home loop. */
    public void moveTo(IoLoop newHome) {
        assert home.inLoop() : name + " moved by another thread than its home's";
        assert consumers.count() == 0 : name + " moved with consumers";
        boolean sweeps = expirySweep != null && expirySweep.cancel();
        home = newHome;
        if (sweeps) {
            newHome.execute(this::removeExpired);
        }
        Inbox inbox = this.inbox;
        if (inbox != null && inbox.isWakePending()) {
            newHome.execute(this::wake);
        }
    }

    /** Ends the queue: what waits is dropped, what comes is refused. Home loop. */
    public void close() {
        assert home.inLoop() : name + " closed by another thread than its home's";
        room.close();
        if (expirySweep != null) {
            expirySweep.cancel();
        }
        feeder = null;
        takeInbox();
        int dropped = waiting.size();
        waiting.abandon(home);
        showWaiting();
        consumers.clear();
        room.release(dropped);
        room.wakeAll();
    }

    public boolean isClosed() {
        return room.isClosed();
    }

    /** Runs {@code action} once when there may be room again; at once if there is. Any thread. */
    public void awaitRoom(Runnable action) {
        room.await(action);
    }

    /** Takes an action back that waits for room. Any thread. */
    public void stopAwaitingRoom(Runnable action) {
        room.stopAwaiting(action);
    }

    /** What goes on feeding this queue once it has room, besides publishers; null when nothing does. Home loop. */
    public @Nullable Runnable feeder() {
        return feeder;
    }

    public void feeder(@Nullable Runnable feeder) {
        assert home.inLoop() : name + " fed by another thread than its home's";
        this.feeder = feeder;
    }

    /** True when a message would fit now without anything being refused, removed or waited for. Any thread. */
    public boolean hasRoom() {
        return room.hasRoom();
    }

    /** Messages waiting, in flight, or on their way. Any thread. */
    public int depth() {
        return room.depth();
    }

    /** Figures for administrators; those that the home loop keeps may lag when another thread reads them. */
    public QueueStatistics statistics() {
        return figures.statistics(depth(), room.storedBytes(), consumers.count());
    }

    private void accept(Message message, @Nullable DeliveryOptions options) {
        if (isClosed()) {
            release();
            return;
        }
        if (waiting.isEmpty()) {
            Delivery delivery = consumers.hand(this, message, options, NOT_STORED);
            if (delivery != Delivery.BUSY) {
                figures.countPublished(depth());
                if (delivery == Delivery.SETTLED) {
                    release();
                }
                return;
            }
        }
        enqueue(message, options);
    }

    private void enqueue(Message message, @Nullable DeliveryOptions options) {
        waiting.addLast(message, options);
        onEnqueued(message);
    }

    private void acceptStored(
            Message message, @Nullable DeliveryOptions options, long reference, long position, int storedBytes) {
        if (isClosed()) {
            durability().store().abandoned(position, storedBytes);
            release();
            return;
        }
        DurableLine line = durableLine();
        if (line.isEmpty()) {
            Delivery delivery = consumers.hand(this, message, options, reference);
            if (delivery != Delivery.BUSY) {
                figures.countPublished(depth());
                if (delivery == Delivery.IN_FLIGHT) {
                    line.handOut(message, options, reference, position, storedBytes);
                } else {
                    durability().store().acknowledged(durableId(), reference, position, storedBytes, home);
                    release();
                }
                return;
            }
        }
        line.addStored(message, options, reference, position, storedBytes, consumers.count() > 0);
        onEnqueued(message);
    }

    private void onEnqueued(Message message) {
        noteExpiry(message.expiryDeadlineNs());
        figures.countPublished(depth());
        QueueLimits limits = limits();
        if (depth() > limits.maxMessages() || limits.hasTooMuch(waiting.unstoredBytes(), waiting.storedBytes())) {
            discardOldest(limits);
        }
        showWaiting();
    }

    /** A consumer has settled a reference. What it settles after the end of the queue was {@linkplain #close abandoned}. Home loop. */
    private void settleStored(long reference) {
        if (isClosed() || durableLine().settle(reference, home)) {
            release();
        }
    }

    private void endCommitted(long reference) {
        if (isClosed() || durableLine().endCommitted(reference)) {
            release();
        }
    }

    /** Settles what was collected at a consumer's outpost. Any thread. */
    void settleStored(long[] references, int count) {
        if (!home.inLoop()) {
            home.execute(() -> settleStored(references, count));
            return;
        }
        figures.noteSettled();
        for (int i = 0; i < count; i++) {
            settleStored(references[i]);
        }
    }

    /** The store has read messages back, for the loop that was the home when it was asked. */
    private void onRead(ReadRequest request, @Nullable Message[] messages) {
        if (!home.inLoop()) {
            home.execute(() -> onRead(request, messages));
            return;
        }
        for (long lost : durableLine().takeRead(request, messages, consumers.count() > 0)) {
            lose(lost);
        }
        drain();
    }

    private Durability durability() {
        Durability present = durability;
        if (present == null) {
            throw new IllegalStateException(name + " is not durable");
        }
        return present;
    }

    /** The line of references; the first time it takes the place of the line in memory. */
    private DurableLine durableLine() {
        WaitingLine present = waiting;
        if (present instanceof DurableLine line) {
            return line;
        }
        DurableLine made = new DurableLine(durability(), room, this::onRead);
        ((MemoryLine) present).moveTo(made);
        waiting = made;
        return made;
    }

    private void sendHome(Object entry, IoLoop caller) {
        if (inbox().put(entry)) {
            caller.post(home, this::wake);
        }
    }

    private void wake() {
        IoLoop home = this.home;
        if (!home.inLoop()) {
            home.execute(this::wake);
            return;
        }
        drain();
    }

    /** Moves what other threads have put behind what waits, delivering directly as long as nothing waits. */
    private void takeInbox() {
        Inbox inbox = this.inbox;
        if (inbox == null || !inbox.isWakePending()) {
            return;
        }
        inbox.beginTaking();
        for (Object entry = inbox.poll(); entry != null; entry = inbox.poll()) {
            if (entry instanceof StoredEntry stored) {
                acceptStored(
                        stored.message(),
                        stored.options(),
                        stored.reference(),
                        stored.position(),
                        stored.storedBytes());
            } else if (entry instanceof EndedReference ended) {
                endCommitted(ended.reference());
            } else {
                accept(RoutedMessage.messageOf(entry), RoutedMessage.optionsOf(entry));
            }
        }
    }

    private Inbox inbox() {
        Inbox present = inbox;
        if (present != null) {
            return present;
        }
        INBOX.compareAndSet(this, null, new Inbox());
        return Objects.requireNonNull(inbox);
    }

    private void discardOldest(QueueLimits limits) {
        if (limits.behavior() != FullBehavior.DISCARD_OLD_MESSAGES) {
            return;
        }
        int depthTarget = depth() > limits.maxMessages() ? limits.discardTarget() : limits.maxMessages();
        long unstoredTarget = limits.discardTargetBuffered(waiting.unstoredBytes());
        long storedTarget = limits.discardTargetStored(waiting.storedBytes());
        int count = 0;
        while (waiting.size() > 1
                && (depth() > depthTarget
                        || waiting.unstoredBytes() > unstoredTarget
                        || waiting.storedBytes() > storedTarget)) {
            waiting.endFirst(home);
            release();
            count++;
        }
        figures.countDiscarded(count, home);
        noteMissed(count);
    }

    private void noteMissed(int count) {
        if (figures.noteMissed(count, (long) neverAcknowledgingMultiple * limits().maxMessages())) {
            home.execute(this::disconnectNeverAcknowledging);
        }
    }

    /** Shows what waits to other threads and to whoever watches the gauges. */
    private void showWaiting() {
        room.showBytes(waiting.unstoredBytes(), waiting.storedBytes());
        figures.showWaiting(waiting.size(), waiting.heapBytes(), home);
    }

    private boolean hasExpired(long deadlineNs) {
        return deadlineNs != Message.NEVER && home.clock().nanoTime() - deadlineNs >= 0;
    }

    /** The first message that can expire arms a sweep; a queue without such messages has no timer. */
    private void noteExpiry(long deadlineNs) {
        if (deadlineNs == Message.NEVER) {
            return;
        }
        ExpirySweep sweep = expirySweep;
        if (sweep == null) {
            expirySweep = sweep = new ExpirySweep(this::removeExpired);
        }
        sweep.arm(deadlineNs, home);
    }

    private void removeExpired() {
        IoLoop home = this.home;
        if (!home.inLoop()) {
            home.execute(this::removeExpired);
            return;
        }
        if (expirySweep != null) {
            expirySweep.cancel();
        }
        int before = waiting.size();
        long earliestNs = waiting.removeExpired(home.clock().nanoTime(), home);
        int count = before - waiting.size();
        figures.countExpired(count, home);
        noteExpiry(earliestNs);
        showWaiting();
        room.release(count);
    }

    private void disconnectNeverAcknowledging() {
        IoLoop home = this.home;
        if (!home.inLoop()) {
            home.execute(this::disconnectNeverAcknowledging);
        } else if (depth() > waiting.size()) {
            Consumer consumer = consumers.only();
            if (consumer != null) {
                consumer.onNeverAcknowledging();
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
