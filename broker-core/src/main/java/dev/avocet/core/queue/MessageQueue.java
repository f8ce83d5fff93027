package dev.avocet.core.queue;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueStatistics;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.EndedReference;
import dev.avocet.core.queue.transit.ExpirySweep;
import dev.avocet.core.queue.transit.Inbox;
import dev.avocet.core.queue.transit.RoutedMessage;
import dev.avocet.core.queue.transit.StoredEntry;
import dev.avocet.core.queue.transit.Unsettled;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages waiting for consumers: of a {@linkplain SubscriptionQueue subscription}, or of those who know the queue
 * {@linkplain RankedQueue by its name}.
 *
 * <p>Many threads put, one drains: the <em>home</em> loop, which is the consumer's loop where there is one consumer. A
 * put on the home loop with an empty queue and a ready consumer goes straight to that consumer. A put elsewhere goes
 * through an inbox and wakes the home loop once per batch. Nothing here locks.
 *
 * <p>Invariants: waiting messages and the inbox are delivered in the order in which they were put; a ready consumer and
 * a waiting message never coexist once {@link #drain} has returned, unless that message is on its way back from the
 * store.
 *
 * <p>A {@linkplain #makeDurable durable} queue holds references into a {@link QueueStore} and only some of the
 * messages.
 *
 * <p>Threads: {@link #put}, {@link #putStored}, {@link #offer}, {@link #settleCommitted}, {@link #giveBackReferences},
 * {@link #noteDelivered} and {@link #statistics} may be used anywhere, as what comes from {@link BoundedQueue}; the
 * rest belongs to the home loop.
 */
public abstract sealed class MessageQueue extends BoundedQueue permits SubscriptionQueue, RankedQueue {
    private static final VarHandle INBOX;
    /** Payloads that go out of memory in one turn. */
    private static final int SHED_PER_TURN = 500;

    static {
        try {
            INBOX = MethodHandles.lookup().findVarHandle(MessageQueue.class, "inbox", Inbox.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // any thread
    private volatile @Nullable Inbox inbox;

    // home loop
    private @Nullable ExpirySweep expirySweep;

    MessageQueue(String name, IoLoop home, QueueLimits limits) {
        super(name, home, limits);
    }

    /** What waits, and how it comes to consumers. */
    abstract Dispatch dispatch();

    /**
     * True when a publisher of a message that may be lost should rather wait: the queue is full, asks for that, and
     * a consumer is there to drain it. Any thread.
     */
    public boolean slowsPublishers(IoLoop caller) {
        if (limits().behavior() != FullBehavior.BACKPRESSURE || dispatch().consumers() == 0 || hasRoom()) {
            return false;
        }
        boolean goesStraightOn = home() == caller && dispatch().goesStraightOn();
        return !goesStraightOn && home().memory().buffersMessages();
    }

    /**
     * Hands over a message for which room was granted.
     *
     * @param options how to deliver it, or null for the consumer's own way
     * @param caller the loop of the calling thread
     */
    public void put(Message message, @Nullable DeliveryOptions options, IoLoop caller) {
        if (home() == caller) {
            takeInbox();
            dispatch().put(message, options);
        } else {
            sendHome(RoutedMessage.entry(message, options, DeliverySource.NOT_STORED), caller);
        }
    }

    /**
     * Hands over a message that may be lost: if the queue is full it is counted as rejected, without a consumer it is
     * not, and no publisher waits. Returns whether it was taken.
     */
    public boolean offer(Message message, @Nullable DeliveryOptions options, IoLoop caller) {
        if (!dispatch().keepsForNobody() && dispatch().consumers() == 0) {
            return false; // for a client that is away
        }
        if (home() == caller) {
            takeInbox();
            if (dispatch().handOn(message, options)) {
                return true;
            }
        }
        if (reserveUnstored() != Reservation.GRANTED) {
            countRejected(caller);
            return false;
        }
        if (home() == caller) {
            dispatch().enqueue(message, options);
        } else {
            sendHome(RoutedMessage.entry(message, options, DeliverySource.NOT_STORED), caller);
        }
        return true;
    }

    /** Hands over a run for which room was granted, each message to be delivered in the consumer's own way. */
    public void put(MessageRun run, IoLoop caller) {
        if (home() == caller) {
            takeInbox();
            dispatch().put(run);
            return;
        }
        for (int i = 0; i < run.size(); i++) {
            put(run.get(i), null, caller);
        }
    }

    /**
     * Hands over a run of messages of QoS 0 if its consumer takes all of it at once; else nothing of it is taken, and
     * each message has to be {@linkplain #offer(Message, DeliveryOptions, IoLoop) offered} by itself. For subscriptions
     * whose consumers take every message in their own way.
     */
    public boolean offer(MessageRun run, IoLoop caller) {
        if (home() != caller) {
            return false;
        }
        takeInbox();
        return dispatch().handOn(run);
    }

    /** True when a run that is {@linkplain #offer(MessageRun, IoLoop) offered} now is taken. */
    public boolean takes(MessageRun run, IoLoop caller) {
        if (home() != caller) {
            return false;
        }
        takeInbox();
        return dispatch().takes(run);
    }

    /** Delivers what waits until the consumers are busy or nothing is left. Home loop. */
    public void drain() {
        assert home().inLoop() : name() + " drained by another thread than its home's";
        takeInbox();
        dispatch().drain();
    }

    /**
     * A delivery is settled whose acknowledgement the store has already, as it came with the commit of a transaction. A
     * snapshot that is taken from now on does not show it. Any thread.
     *
     * @param caller the loop of the calling thread
     */
    public void settleCommitted(long reference, IoLoop caller) {
        figures().noteSettled();
        if (reference == DeliverySource.NOT_STORED) {
            release();
        } else if (home() == caller) {
            takeInbox();
            dispatch().endCommitted(reference);
        } else {
            sendHome(new EndedReference(reference), caller);
        }
    }

    /**
     * Stored references have been with a consumer, which has not settled them: those that are in flight still count as
     * delivered before, should the broker be killed now. Nothing changes for the receiver that settles them or gives
     * them back. Any thread.
     */
    public void noteDelivered(long[] references) {
        if (!home().inLoop()) {
            home().execute(() -> noteDelivered(references));
        } else if (!isClosed()) {
            dispatch().noteDelivered(references);
        }
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
        if (home() == caller) {
            takeInbox();
            dispatch().putStored(message, options, reference, position, storedBytes, message.expiryDeadlineNs());
        } else {
            long deadlineNs = message.expiryDeadlineNs();
            sendHome(new StoredEntry(message, options, reference, position, storedBytes, deadlineNs), caller);
        }
    }

    /**
     * Takes back a reference of an earlier life, in the queue's order, before any message is put. It is taken though
     * the queue be full. Home loop.
     */
    public void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        assert home().inLoop() : name() + " restored by another thread than its home's";
        room().take();
        dispatch().restore(reference, position, storedBytes, expiryDeadlineNs, options);
        durability().beginReferencesAt(reference + 1);
        figures().noteDepth(depth());
    }

    /**
     * Takes back a reference of an earlier life that is in flight still: its receiver will settle it. Otherwise as
     * {@link #restore}.
     */
    public void restoreInFlight(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        assert home().inLoop() : name() + " restored by another thread than its home's";
        room().take();
        dispatch().restoreInFlight(reference, position, storedBytes, expiryDeadlineNs, options);
        durability().beginReferencesAt(reference + 1);
        figures().noteDepth(depth());
    }

    /** Numbers for new references begin here at the least. Home loop, before any message is put. */
    public void restoreNextReference(long next) {
        durability().beginReferencesAt(next);
    }

    /** What the queue holds in the store now. Home loop. */
    public QueueSnapshot snapshot() {
        assert home().inLoop() : name() + " looked at by another thread than its home's";
        takeInbox();
        return dispatch().snapshot();
    }

    /**
     * Finds the references whose messages lie at one of these positions, waiting and in flight now. Home loop.
     *
     * @param until exclusive
     */
    public ReferenceSearch search(long from, long until) {
        assert home().inLoop() : name() + " looked at by another thread than its home's";
        takeInbox();
        return dispatch().search(from, until);
    }

    /**
     * The message of a reference was written again. The reference lies at the later of the two places, which is where
     * recovery finds it too; the store may forget the other place. When the reference is over, the store may forget the
     * new one. Home loop.
     *
     * @return true when the reference lies at the new place
     */
    public boolean moved(long reference, long newPosition, int storedBytes) {
        assert home().inLoop() : name() + " changed by another thread than its home's";
        takeInbox();
        boolean isThere = dispatch().moved(reference, newPosition, storedBytes);
        if (!isThere) {
            durability().store().abandoned(newPosition, storedBytes);
        }
        return isThere;
    }

    /**
     * Lets some messages go out of memory that the store has as well: they are read back when their turn comes. Home
     * loop.
     *
     * @return true when there are more, for a later turn of the loop
     */
    public boolean shedPayloads() {
        assert home().inLoop() : name() + " changed by another thread than its home's";
        boolean more = !isClosed() && dispatch().shedPayloads(SHED_PER_TURN);
        drain();
        return more;
    }

    /**
     * Ends a reference whose message the disk has damaged, unless a consumer has that already. Home loop.
     *
     * @param position where the damage is
     * @return false when the reference does not wait, lies elsewhere by now, or cannot be ended now
     */
    public boolean lose(long reference, long position) {
        assert home().inLoop() : name() + " changed by another thread than its home's";
        if (!dispatch().lose(reference, position)) {
            return false;
        }
        durability().store().lost(name(), position);
        release();
        return true;
    }

    /** Ends a reference whose message the disk has damaged. Home loop. */
    public void loseInFlight(long reference, long position) {
        assert home().inLoop() : name() + " changed by another thread than its home's";
        durability().store().lost(name(), position);
        settleStored(reference);
    }

    /** Puts messages that a consumer gave up back to the front, in their order. They are still counted. Home loop. */
    public void giveBack(List<Unsettled> messages) {
        assert home().inLoop() : name() + " given messages back by another thread than its home's";
        if (isClosed()) {
            messages.forEach(message -> release());
            return;
        }
        dispatch().giveBack(messages);
        drain();
    }

    /**
     * Puts references that were {@linkplain #restoreInFlight restored in flight} back to the front, in their order;
     * their messages are on disk only. Any thread.
     */
    public void giveBackReferences(long[] references) {
        if (!home().inLoop()) {
            home().execute(() -> giveBackReferences(references));
            return;
        }
        if (isClosed()) {
            room().release(references.length);
            return;
        }
        dispatch().giveBackAbsent(references);
        drain();
    }

    /** Ends the queue: what waits is dropped, what comes is refused. Home loop. */
    public void close() {
        assert home().inLoop() : name() + " closed by another thread than its home's";
        room().close();
        if (expirySweep != null) {
            expirySweep.cancel();
        }
        takeInbox();
        room().release(dispatch().close());
        room().wakeAll();
    }

    /** Figures for administrators; those that the home loop keeps may lag when another thread reads them. */
    public QueueStatistics statistics() {
        return figures().statistics(depth(), room().storedBytes(), dispatch().consumers());
    }

    /**
     * A consumer has settled a reference. What it settles after the end of the queue was {@linkplain #close abandoned}.
     * Home loop.
     */
    void settleStored(long reference) {
        if (isClosed() || dispatch().settle(reference)) {
            release();
        }
    }

    void sendHome(Object entry, IoLoop caller) {
        if (inbox().put(entry)) {
            caller.post(home(), this::wake);
        }
    }

    private void wake() {
        IoLoop home = home();
        if (!home.inLoop()) {
            home.execute(this::wake);
            return;
        }
        drain();
    }

    /** Moves what other threads have put behind what waits, delivering directly as long as nothing waits. */
    void takeInbox() {
        Inbox inbox = this.inbox;
        if (inbox != null && inbox.isWakePending()) {
            dispatch().takeAll(inbox);
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

    /** Makes another loop the home; from here on only that one may drain. Home loop. */
    void rehome(IoLoop newHome) {
        boolean sweeps = expirySweep != null && expirySweep.cancel();
        home(newHome);
        if (sweeps) {
            newHome.execute(this::removeExpired);
        }
        Inbox inbox = this.inbox;
        if (inbox != null && inbox.isWakePending()) {
            newHome.execute(this::wake);
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
        sweep.arm(deadlineNs, home());
    }

    private void removeExpired() {
        IoLoop home = home();
        if (!home.inLoop()) {
            home.execute(this::removeExpired);
            return;
        }
        if (expirySweep != null) {
            expirySweep.cancel();
        }
        dispatch().removeExpired(home.clock().nanoTime());
    }
}
