package dev.avocet.core.queue;

import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages waiting for somebody: an exclusive subscription, a shared subscription, later a JMS queue.
 *
 * <p>Many threads put, one drains: the <em>home</em> loop, which is the consumer's loop where there is one consumer. A
 * put on the home loop with an empty queue and a ready consumer goes straight to that consumer. A put elsewhere goes
 * through an inbox and wakes the home loop once per batch. Nothing here locks.
 *
 * <p>Invariants: {@code depth} = granted reservations not yet put + inbox + waiting + in flight, so the bound holds
 * whatever thread a message is on; waiting messages and the inbox are delivered in the order in which they were put; a
 * ready consumer and a waiting message never coexist once {@link #drain} has returned, unless that message is on its
 * way back from the store.
 *
 * <p>A {@linkplain #makeDurable durable} queue holds references into a {@link QueueStore} and only some of the
 * messages: see {@link DurableLine}.
 *
 * <p>Threads: {@link #reserve}, {@link #reserveUnstored}, {@link #release}, {@link #put}, {@link #putStored},
 * {@link #offer}, {@link #settle}, {@link #settleCommitted}, {@link #takeRoom}, {@link #giveBackReferences},
 * {@link #makeDurable}, {@link #nextReference}, {@link #statistics} and {@link #limits} may be used anywhere; the rest
 * belongs to the home loop.
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
    private volatile QueueSettings settings = QueueSettings.DEFAULT;

    // home loop
    private final Dispatch dispatch;
    private @Nullable ExpirySweep expirySweep;
    private @Nullable Runnable feeder;

    /**
     * @param name for people: statistics and log lines
     * @param neverAcknowledgingMultiple a consumer that acknowledges nothing while this many times the maximum number
     *     of messages has been lost to the full queue is disconnected; 0 for never
     */
    public MessageQueue(String name, IoLoop home, QueueLimits limits, int neverAcknowledgingMultiple) {
        this.name = name;
        this.home = home;
        this.room = new QueueRoom(limits);
        this.neverAcknowledgingMultiple = neverAcknowledgingMultiple;
        this.dispatch = new LineDispatch(this, room, figures);
    }

    /**
     * A queue that clients know by name: messages of higher priority first, receivers that choose, deliveries that may
     * fail. It does not move to another loop.
     *
     * @param neighbours where messages go that nobody takes
     */
    public MessageQueue(
            String name, IoLoop home, QueueLimits limits, QueueSettings settings, QueueNeighbours neighbours) {
        this.name = name;
        this.home = home;
        this.room = new QueueRoom(limits);
        this.neverAcknowledgingMultiple = 0;
        this.settings = settings;
        this.dispatch = new RankedDispatch(this, room, figures, neighbours);
    }

    public String name() {
        return name;
    }

    /** How full it is, in words for the log. Any thread. */
    public String fullness() {
        QueueLimits limits = limits();
        ObjectKey policy = limits.policy();
        if (hasRoom() && !home.memory().storesMessages()) {
            return "'" + name + "' holds " + depth() + " messages and takes no more: the broker's heap is full;"
                    + " consume what waits, or give the broker a larger heap";
        }
        return "'" + name + "' holds " + depth() + " messages and takes no more; it may hold " + limits.maxMessages()
                + (policy == null ? "" : " by " + policy);
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

    /** What it does beside holding messages, if it is one that clients know by name. Any thread. */
    public QueueSettings settings() {
        return settings;
    }

    /** Replaces the settings; they hold from the next message on. Any thread. */
    public void settings(QueueSettings changed) {
        settings = changed;
    }

    /**
     * Messages that receivers have accepted, of a queue that clients know by name. May lag when another thread asks.
     */
    public long consumed() {
        return figures.consumed();
    }

    /**
     * Begins to receive from a queue that clients know by name. The answer, {@link QueueConsumer#onAttached} or
     * {@link QueueConsumer#onEnded}, comes later.
     *
     * @param loop the caller's, to which the receiver belongs
     */
    public QueueReceiver receive(ReceiverOptions options, IoLoop loop, QueueConsumer consumer) {
        ReceiverPort port = new ReceiverPort(this, ranked(), options, loop, consumer);
        port.open();
        return port;
    }

    /** Ends all that waits in a queue that clients know by name; returns how many messages that was. Home loop. */
    public int purge() {
        return purgeSome(Integer.MAX_VALUE);
    }

    /** The same for so many messages at the most, for those who leave the loop to others in between. Home loop. */
    public int purgeSome(int most) {
        assert home.inLoop() : name + " purged by another thread than its home's";
        takeInbox();
        return ranked().purge(most);
    }

    /** Ends one message that waits; false when it does not. Home loop. */
    public boolean purge(long reference) {
        assert home.inLoop() : name + " purged by another thread than its home's";
        takeInbox();
        return ranked().purge(reference);
    }

    /**
     * Moves messages that wait to another queue, the next to be delivered first, as far as that has room; returns how
     * many that was. What is in flight, delayed or not in memory and not to be stored there stays. Home loop.
     */
    public int moveMessagesTo(MessageQueue target, int most) {
        assert home.inLoop() : name + " emptied by another thread than its home's";
        takeInbox();
        return ranked().moveTo(target, most);
    }

    /**
     * Takes room for one message, which will be stored if the queue is durable, and so needs memory for hardly more
     * than its reference. {@link Reservation#GRANTED} obliges the caller to {@link #put} or {@link #release}; so a
     * publisher can first make sure that every queue has room and only then hand the message to any. Any thread.
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
     * True when a publisher of a message that may be lost should rather wait: the queue is full, asks for that, and
     * somebody is there to drain it. Any thread.
     */
    public boolean slowsPublishers(IoLoop caller) {
        if (limits().behavior() != FullBehavior.BACKPRESSURE || dispatch.consumers() == 0 || hasRoom()) {
            return false;
        }
        boolean goesStraightOn = home == caller && dispatch.goesStraightOn();
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
            dispatch.put(message, options);
        } else {
            sendHome(RoutedMessage.entry(message, options, NOT_STORED), caller);
        }
    }

    /**
     * Hands over a message that may be lost: if the queue is full it is counted as rejected, if nobody consumes it is
     * not, and nobody waits. Returns whether it was taken.
     */
    public boolean offer(Message message, @Nullable DeliveryOptions options, IoLoop caller) {
        if (!dispatch.keepsForNobody() && dispatch.consumers() == 0) {
            return false; // for a client that is away
        }
        if (home == caller) {
            takeInbox();
            if (dispatch.handOn(message, options)) {
                return true;
            }
        }
        if (reserveUnstored() != Reservation.GRANTED) {
            countRejected(caller);
            return false;
        }
        if (home == caller) {
            dispatch.enqueue(message, options);
        } else {
            sendHome(RoutedMessage.entry(message, options, NOT_STORED), caller);
        }
        return true;
    }

    /**
     * Takes room for a run that is not to be stored, if there is room for all of it. Then
     * {@link #put(MessageRun, IoLoop)} or {@link #release(int)} must follow; else room has to be
     * {@linkplain #reserveUnstored taken} for each message by itself. Any thread.
     */
    public boolean reserveUnstored(MessageRun run) {
        return home.memory().buffersMessages() && room.reserveAll(run.size(), run.sizeBytes());
    }

    /** Hands over a run for which room was granted, each message to be delivered in the consumer's own way. */
    public void put(MessageRun run, IoLoop caller) {
        if (home == caller) {
            takeInbox();
            dispatch.put(run);
            return;
        }
        for (int i = 0; i < run.size(); i++) {
            put(run.get(i), null, caller);
        }
    }

    /** Gives back the room of that many messages, which was granted and is not used. Any thread. */
    public void release(int messages) {
        room.release(messages);
    }

    /**
     * Hands over a run of messages of QoS 0 if its consumer takes all of it at once; else nothing of it is taken, and
     * each message has to be {@linkplain #offer(Message, DeliveryOptions, IoLoop) offered} by itself. For subscriptions
     * whose consumers take every message in their own way.
     */
    public boolean offer(MessageRun run, IoLoop caller) {
        if (home != caller) {
            return false;
        }
        takeInbox();
        return dispatch.handOn(run);
    }

    /** True when a run that is {@linkplain #offer(MessageRun, IoLoop) offered} now is taken. */
    public boolean takes(MessageRun run, IoLoop caller) {
        if (home != caller) {
            return false;
        }
        takeInbox();
        return dispatch.takes(run);
    }

    /** Delivers what waits until the consumers are busy or nothing is left. Home loop. */
    public void drain() {
        assert home.inLoop() : name + " drained by another thread than its home's";
        takeInbox();
        dispatch.drain();
    }

    @Override
    public void resume(Consumer consumer) {
        assert home.inLoop() : name + " resumed by another thread than its home's";
        if (dispatch.makeReady(consumer)) {
            drain();
        }
    }

    @Override
    public void settleUnstored(int messages) {
        figures.noteSettled();
        room.release(messages);
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
     * A delivery is settled whose acknowledgement the store has already, as it came with the commit of a transaction. A
     * snapshot that is taken from now on does not show it. Any thread.
     *
     * @param caller the loop of the calling thread
     */
    public void settleCommitted(long reference, IoLoop caller) {
        figures.noteSettled();
        if (reference == NOT_STORED) {
            release();
        } else if (home == caller) {
            takeInbox();
            dispatch.endCommitted(reference);
        } else {
            sendHome(new EndedReference(reference), caller);
        }
    }

    /**
     * Stored references have been with a consumer, which has not settled them: those that are in flight still count as
     * delivered before, should the broker be killed now. Nothing changes for whoever settles them or gives them back.
     * Any thread.
     */
    public void noteDelivered(long[] references) {
        if (!home.inLoop()) {
            home.execute(() -> noteDelivered(references));
        } else if (!isClosed()) {
            dispatch.noteDelivered(references);
        }
    }

    /**
     * Makes the queue survive: from now on what is {@linkplain #putStored put with a reference} is kept in the store.
     * Any thread; only the first call counts.
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
            dispatch.putStored(message, options, reference, position, storedBytes);
        } else {
            sendHome(new StoredEntry(message, options, reference, position, storedBytes), caller);
        }
    }

    /** As {@link #putStored}, for a message that was in another queue and may be on disk only. */
    void putMoved(
            @Nullable Message message,
            @Nullable DeliveryOptions options,
            long reference,
            long position,
            int storedBytes,
            IoLoop caller) {
        sendHome(new StoredEntry(message, options, reference, position, storedBytes), caller);
    }

    /**
     * Takes back a reference of an earlier life, in the queue's order, before any message is put. It is taken though
     * the queue be full. Home loop.
     */
    public void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        assert home.inLoop() : name + " restored by another thread than its home's";
        room.take();
        dispatch.restore(reference, position, storedBytes, expiryDeadlineNs, options);
        durability().beginReferencesAt(reference + 1);
        figures.noteDepth(depth());
    }

    /**
     * Takes back a reference of an earlier life that is in flight still: somebody will settle it. Otherwise as
     * {@link #restore}.
     */
    public void restoreInFlight(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        assert home.inLoop() : name + " restored by another thread than its home's";
        room.take();
        dispatch.restoreInFlight(reference, position, storedBytes, expiryDeadlineNs, options);
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
        return dispatch.snapshot();
    }

    /** Shows what waits in the line of a subscription, or for its time, and is not in the store. Home loop. */
    public void forEachUnstored(UnstoredVisitor visitor) {
        assert home.inLoop() : name + " looked at by another thread than its home's";
        takeInbox();
        dispatch.forEachUnstored(visitor);
    }

    /**
     * Shows the references whose messages lie at one of these positions, waiting and in flight. Home loop.
     *
     * @param until exclusive
     */
    public void forEachIn(long from, long until, ReferenceVisitor visitor) {
        assert home.inLoop() : name + " looked at by another thread than its home's";
        takeInbox();
        dispatch.forEachIn(from, until, visitor);
    }

    /** The message of a reference lies elsewhere now; false when the reference is over. Home loop. */
    public boolean moved(long reference, long newPosition, int storedBytes) {
        assert home.inLoop() : name + " changed by another thread than its home's";
        takeInbox();
        return dispatch.moved(reference, newPosition, storedBytes);
    }

    /**
     * Lets messages go out of memory that the store has as well: they are read back when their turn comes. Home loop.
     */
    public void shedPayloads() {
        assert home.inLoop() : name + " changed by another thread than its home's";
        dispatch.shedPayloads();
        drain();
    }

    /**
     * Ends a reference whose message the disk has damaged, unless a consumer has that already. Home loop.
     *
     * @return false when it does not wait, or cannot be ended now
     */
    public boolean lose(long reference) {
        assert home.inLoop() : name + " changed by another thread than its home's";
        long position = dispatch.lose(reference);
        if (position < 0) {
            return false;
        }
        durability().store().lost(name, position);
        release();
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
        dispatch.giveBack(messages);
        drain();
    }

    /**
     * Puts references that were {@linkplain #restoreInFlight restored in flight} back to the front, in their order;
     * their messages are on disk only. Any thread.
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
        dispatch.giveBackAbsent(references);
        drain();
    }

    /**
     * Adds a consumer, ready for messages, and delivers to it what waits; one that comes too late is told. Home loop.
     */
    public void attach(Consumer consumer) {
        assert home.inLoop() : name + " attached to by another thread than its home's";
        if (isClosed()) {
            consumer.onQueueClosed();
            return;
        }
        dispatch.attach(consumer);
        figures.noteSettled();
        drain();
    }

    /** Takes a consumer away. What it holds in flight stays counted until it is settled or given back. Home loop. */
    public void detach(Consumer consumer) {
        assert home.inLoop() : name + " detached from by another thread than its home's";
        if (dispatch.detach(consumer)) {
            room.wakeAll(); // what may be lost need not wait for somebody who is away
        }
    }

    /** Makes another loop the home; from here on only that one may drain. Home loop. */
    public void moveTo(IoLoop newHome) {
        assert home.inLoop() : name + " moved by another thread than its home's";
        assert dispatch.consumers() == 0 : name + " moved with consumers";
        boolean sweeps = expirySweep != null && expirySweep.cancel();
        boolean paused = dispatch.pause();
        home = newHome;
        if (paused) {
            newHome.execute(this::goOn);
        }
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
        room.release(dispatch.close());
        room.wakeAll();
    }

    public boolean isClosed() {
        return room.isClosed();
    }

    /**
     * Runs {@code action} once when there may be room again; at once if there is. Those who wait have their turns in
     * the order in which they came. Who was called answers with {@link #stopAwaitingRoom} once it has taken what it
     * wants, or with this and the same action where others have been faster: then it keeps its place. Any thread.
     */
    public void awaitRoom(Runnable action) {
        room.await(action);
    }

    /** Takes an action back that waits for room, or was called. Any thread. */
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
        return figures.statistics(depth(), room.storedBytes(), dispatch.consumers());
    }

    /**
     * A consumer has settled a reference. What it settles after the end of the queue was {@linkplain #close abandoned}.
     * Home loop.
     */
    private void settleStored(long reference) {
        if (isClosed() || dispatch.settle(reference)) {
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

    private RankedDispatch ranked() {
        if (dispatch instanceof RankedDispatch ranked) {
            return ranked;
        }
        throw new IllegalStateException(name + " is a subscription");
    }

    /** Where references go that the heap has no room for. */
    @Nullable ReferencePages pages() {
        Durability present = durability;
        return present == null ? null : present.store().pages();
    }

    Durability durability() {
        Durability present = durability;
        if (present == null) {
            throw new IllegalStateException(name + " is not durable");
        }
        return present;
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
                dispatch.putStored(
                        stored.message(),
                        stored.options(),
                        stored.reference(),
                        stored.position(),
                        stored.storedBytes());
            } else if (entry instanceof EndedReference ended) {
                dispatch.endCommitted(ended.reference());
            } else {
                dispatch.put(RoutedMessage.messageOf(entry), RoutedMessage.optionsOf(entry));
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

    void noteMissed(int count) {
        if (figures.noteMissed(count, (long) neverAcknowledgingMultiple * limits().maxMessages())) {
            home.execute(this::disconnectNeverAcknowledging);
        }
    }

    /** The first message that can expire arms a sweep; a queue without such messages has no timer. */
    void noteExpiry(long deadlineNs) {
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
        dispatch.removeExpired(home.clock().nanoTime());
    }

    private void goOn() {
        IoLoop home = this.home;
        if (!home.inLoop()) {
            home.execute(this::goOn);
            return;
        }
        dispatch.goOn();
    }

    private void disconnectNeverAcknowledging() {
        IoLoop home = this.home;
        if (!home.inLoop()) {
            home.execute(this::disconnectNeverAcknowledging);
        } else if (depth() > dispatch.waiting()) {
            Consumer consumer = dispatch.only();
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
