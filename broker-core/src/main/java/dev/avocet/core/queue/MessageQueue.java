package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.time.TimerWheel.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jctools.queues.MpscUnboundedArrayQueue;
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
 * message never coexist once {@link #drain} has returned.
 *
 * <p>Threads: {@link #reserve}, {@link #release}, {@link #put}, {@link #offer}, {@link #settle}, {@link #statistics} and
 * {@link #limits} may be used anywhere; the rest belongs to the home loop.
 */
public final class MessageQueue implements DeliverySource {
    private static final VarHandle DEPTH;
    private static final VarHandle WAKE;
    private static final VarHandle INBOX;
    private static final int INBOX_CHUNK = 64;
    private static final long EXPIRY_SWEEP_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Consumer[] NO_CONSUMERS = {};

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            DEPTH = lookup.findVarHandle(MessageQueue.class, "depth", int.class);
            WAKE = lookup.findVarHandle(MessageQueue.class, "wakePending", boolean.class);
            INBOX = lookup.findVarHandle(MessageQueue.class, "inbox", Queue.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final RoomWaiters roomWaiters = new RoomWaiters();
    private final int neverAcknowledgingMultiple;

    // any thread
    private volatile IoLoop home;
    private volatile QueueLimits limits;
    private volatile boolean closed;
    private volatile int depth;
    private volatile long waitingBytes;
    private volatile @Nullable Queue<Object> inbox;
    private volatile boolean wakePending;
    private volatile @Nullable LongAdder rejected;
    private volatile int missedSinceSettle;
    /** Written on the home loop only. */
    private volatile Consumer[] consumers = NO_CONSUMERS;

    // home loop
    private final MessageRing waiting = new MessageRing();
    /** Consumers at positions below this can take a message, the others have said that they are busy. */
    private int readyConsumers;

    private int nextConsumer;
    private long published;
    private long discarded;
    private long expired;
    private int highWaterMark;
    private @Nullable Timer expirySweep;
    private @Nullable Runnable feeder;

    /**
     * @param name for people: statistics and log lines
     * @param neverAcknowledgingMultiple a consumer that acknowledges nothing while this many times the maximum number of messages has
     *     been lost to the full queue is disconnected; 0 for never
     */
    public MessageQueue(String name, IoLoop home, QueueLimits limits, int neverAcknowledgingMultiple) {
        this.name = name;
        this.home = home;
        this.limits = limits;
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
        return limits;
    }

    /** Replaces the limits; they hold from the next message on. Any thread. */
    public void limits(QueueLimits limits) {
        this.limits = limits;
        roomWaiters.wakeAll();
    }

    /**
     * Takes room for one message. {@link Reservation#GRANTED} obliges the caller to {@link #put} or {@link #release}; so a publisher
     * can first make sure that every queue has room and only then hand the message to any. Any thread.
     */
    public Reservation reserve() {
        QueueLimits limits = this.limits;
        int before = (int) DEPTH.getAndAdd(this, 1);
        if (closed) {
            return Reservation.GRANTED; // the message goes nowhere, which is no reason to refuse it to others
        }
        boolean memoryLeft = home.memory().buffersMessages();
        if (memoryLeft && (hasRoomAfter(before, limits) || mayOverfill(before, limits))) {
            return Reservation.GRANTED;
        }
        release(); // a waiter that looked meanwhile has seen one message too many: it is woken now if it has to be
        return memoryLeft && limits.behavior() == FullBehavior.BACKPRESSURE ? Reservation.WAIT : Reservation.FULL;
    }

    /**
     * True when a publisher of a message that may be lost should rather wait: the queue is full, asks for that, and somebody is there
     * to drain it. Any thread.
     */
    public boolean slowsPublishers(IoLoop caller) {
        QueueLimits limits = this.limits;
        if (limits.behavior() != FullBehavior.BACKPRESSURE || consumers.length == 0 || hasRoom()) {
            return false;
        }
        boolean goesStraightOn = home == caller && waiting.isEmpty() && readyConsumers > 0;
        return !goesStraightOn && home.memory().buffersMessages();
    }

    /** Gives a granted reservation back unused. Any thread. */
    public void release() {
        DEPTH.getAndAdd(this, -1);
        roomWaiters.wakeIf(this);
    }

    /** Counts a message that found the queue full. Any thread. */
    public void countRejected(IoLoop caller) {
        LongAdder adder = rejected;
        if (adder == null) {
            synchronized (this) { // once in a queue's life; never while it has room
                adder = rejected == null ? rejected = new LongAdder() : rejected;
            }
        }
        adder.increment();
        caller.counters().increment(Counter.MESSAGES_REJECTED);
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
            sendHome(message, options, caller);
        }
    }

    /**
     * Hands over a message that may be lost: if the queue is full it is counted as rejected, if nobody consumes it is not, and nobody
     * waits. Returns whether it was taken.
     */
    public boolean offer(Message message, @Nullable DeliveryOptions options, IoLoop caller) {
        if (consumers.length == 0) {
            return false; // for a client that is away
        }
        if (home == caller) {
            takeInbox();
            Delivery delivery = waiting.isEmpty() ? hand(message, options) : Delivery.BUSY;
            if (delivery != Delivery.BUSY) {
                published++;
                if (delivery == Delivery.IN_FLIGHT) {
                    DEPTH.getAndAdd(this, 1);
                }
                return true;
            }
        }
        if (reserve() != Reservation.GRANTED) {
            countRejected(caller);
            return false;
        }
        if (home == caller) {
            enqueue(message, options);
        } else {
            sendHome(message, options, caller);
        }
        return true;
    }

    /** Delivers what waits until the consumers are busy or nothing is left. Home loop. */
    public void drain() {
        assert home.inLoop() : name + " drained by another thread than its home's";
        takeInbox();
        while (!waiting.isEmpty() && readyConsumers > 0) {
            Object entry = waiting.peek();
            Message message = messageOf(entry);
            if (message.expires() && message.isExpired(home.clock().nanoTime())) {
                forget();
                countExpired(1);
                continue;
            }
            Delivery delivery = hand(message, optionsOf(entry));
            if (delivery == Delivery.BUSY) {
                continue;
            }
            removeWaiting();
            if (delivery == Delivery.SETTLED) {
                release();
            }
        }
        roomWaiters.wakeIf(this); // what is in flight has left room for bytes
    }

    @Override
    public void resume(Consumer consumer) {
        assert home.inLoop() : name + " resumed by another thread than its home's";
        for (int i = readyConsumers; i < consumers.length; i++) {
            if (consumers[i] == consumer) {
                swap(i, readyConsumers++);
                drain();
                return;
            }
        }
    }

    @Override
    public void settle(Message message, long reference) {
        if (missedSinceSettle != 0) { // a plain write would be a fence per acknowledgement
            missedSinceSettle = 0;
        }
        release();
    }

    /**
     * Makes the queue survive: from now on what is {@linkplain #putStored put with a reference} is kept in the store. Any thread; only the
     * first call counts.
     *
     * @param id identifies the queue in the store, not {@link #NOT_STORED}
     */
    public void makeDurable(long id, QueueStore store) {
        throw new UnsupportedOperationException(id + " " + store);
    }

    @Override
    public long durableId() {
        return NOT_STORED;
    }

    /** A number for a reference that is about to be written, greater than all before. Any thread. */
    public long nextReference() {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException(reference + " " + position + " " + storedBytes);
    }

    /**
     * Takes back a reference of an earlier life, in the queue's order, before any message is put. Home loop.
     */
    public void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        throw new UnsupportedOperationException();
    }

    /** Numbers for new references begin here at the least. Home loop, before any message is put. */
    public void restoreNextReference(long next) {
        throw new UnsupportedOperationException(String.valueOf(next));
    }

    /** What the queue holds in the store now. Home loop. */
    public QueueSnapshot snapshot() {
        throw new UnsupportedOperationException();
    }

    /** Shows the references whose messages lie in a segment, waiting and in flight. Home loop. */
    public void forEachIn(int segment, ReferenceVisitor visitor) {
        throw new UnsupportedOperationException();
    }

    /** The message of a reference lies elsewhere now; false when the reference is over. Home loop. */
    public boolean moved(long reference, long newPosition, int storedBytes) {
        throw new UnsupportedOperationException();
    }

    /** Puts messages that a consumer gave up back to the front, in their order. They are still counted. Home loop. */
    public void giveBack(List<Unsettled> messages) {
        assert home.inLoop() : name + " given messages back by another thread than its home's";
        if (closed) {
            messages.forEach(message -> release());
            return;
        }
        for (int i = messages.size() - 1; i >= 0; i--) {
            Message message = messages.get(i).message();
            waiting.addFirst(message);
            countWaiting(message, 1);
            noteExpiry(message);
        }
        drain();
    }

    /** Adds a consumer, ready for messages, and delivers to it what waits. Home loop. */
    public void attach(Consumer consumer) {
        assert home.inLoop() : name + " attached to by another thread than its home's";
        Consumer[] more = new Consumer[consumers.length + 1];
        System.arraycopy(consumers, 0, more, 1, consumers.length);
        more[0] = consumer;
        consumers = more;
        readyConsumers++;
        missedSinceSettle = 0;
        drain();
    }

    /** Takes a consumer away. What it holds in flight stays counted until it is settled or given back. Home loop. */
    public void detach(Consumer consumer) {
        assert home.inLoop() : name + " detached from by another thread than its home's";
        for (int i = 0; i < consumers.length; i++) {
            if (consumers[i] == consumer) {
                List<Consumer> rest = new ArrayList<>(List.of(consumers));
                rest.remove(i);
                consumers = rest.isEmpty() ? NO_CONSUMERS : rest.toArray(new Consumer[0]);
                readyConsumers -= i < readyConsumers ? 1 : 0;
                nextConsumer = 0;
                if (rest.isEmpty()) {
                    roomWaiters.wakeAll(); // what may be lost need not wait for somebody who is away
                }
                return;
            }
        }
    }

    /** Makes another loop the home; from here on only that one may drain. Home loop. */
    public void moveTo(IoLoop newHome) {
        assert home.inLoop() : name + " moved by another thread than its home's";
        assert consumers.length == 0 : name + " moved with consumers";
        boolean sweeps = expirySweep != null;
        cancelExpirySweep();
        home = newHome;
        if (sweeps) {
            newHome.execute(this::removeExpired);
        }
        if (wakePending) {
            newHome.execute(this::wake);
        }
    }

    /** Ends the queue: what waits is dropped, what comes is refused. Home loop. */
    public void close() {
        assert home.inLoop() : name + " closed by another thread than its home's";
        closed = true;
        cancelExpirySweep();
        feeder = null;
        takeInbox();
        while (!waiting.isEmpty()) {
            forget();
        }
        consumers = NO_CONSUMERS;
        readyConsumers = 0;
        roomWaiters.wakeAll();
    }

    public boolean isClosed() {
        return closed;
    }

    /** Runs {@code action} once when there may be room again; at once if there is. Any thread. */
    public void awaitRoom(Runnable action) {
        roomWaiters.add(action);
        roomWaiters.wakeIf(this);
    }

    /** Takes an action back that waits for room. Any thread. */
    public void stopAwaitingRoom(Runnable action) {
        roomWaiters.remove(action);
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
        QueueLimits limits = this.limits;
        return closed || hasRoomAfter(depth, limits);
    }

    /** Messages waiting, in flight, or on their way. Any thread. */
    public int depth() {
        return depth;
    }

    /** Figures for administrators; those that the home loop keeps may lag when another thread reads them. */
    public QueueStatistics statistics() {
        LongAdder rejected = this.rejected;
        return new QueueStatistics(
                published,
                depth,
                highWaterMark,
                rejected == null ? 0 : rejected.sum(),
                discarded,
                expired,
                consumers.length);
    }

    private void accept(Message message, @Nullable DeliveryOptions options) {
        if (closed) {
            release();
            return;
        }
        if (waiting.isEmpty()) {
            Delivery delivery = hand(message, options);
            if (delivery != Delivery.BUSY) {
                published++;
                noteDepth();
                if (delivery == Delivery.SETTLED) {
                    release();
                }
                return;
            }
        }
        enqueue(message, options);
    }

    private void enqueue(Message message, @Nullable DeliveryOptions options) {
        published++;
        waiting.addLast(RoutedMessage.entry(message, options, NOT_STORED));
        countWaiting(message, 1);
        noteExpiry(message);
        noteDepth();
        QueueLimits limits = this.limits;
        if (depth > limits.maxMessages() || limits.hasTooMuch(waitingBytes)) {
            discardOldest(limits);
        }
    }

    /** Offers a message to the ready consumers in turn. */
    private Delivery hand(Message message, @Nullable DeliveryOptions options) {
        while (readyConsumers > 0) {
            if (nextConsumer >= readyConsumers) {
                nextConsumer = 0;
            }
            int position = nextConsumer;
            Delivery delivery = consumers[position].deliver(this, message, options, NOT_STORED);
            if (delivery != Delivery.BUSY) {
                nextConsumer = position + 1;
                return delivery;
            }
            if (position < readyConsumers) {
                swap(position, --readyConsumers);
            }
        }
        return Delivery.BUSY;
    }

    private void sendHome(Message message, @Nullable DeliveryOptions options, IoLoop caller) {
        inbox().offer(RoutedMessage.entry(message, options, NOT_STORED));
        if (!wakePending && WAKE.compareAndSet(this, false, true)) {
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
        Queue<Object> inbox = this.inbox;
        if (inbox == null || !wakePending) {
            return;
        }
        wakePending = false;
        for (Object entry = inbox.poll(); entry != null; entry = inbox.poll()) {
            accept(messageOf(entry), optionsOf(entry));
        }
    }

    private Queue<Object> inbox() {
        Queue<Object> present = inbox;
        if (present != null) {
            return present;
        }
        Queue<Object> made = new MpscUnboundedArrayQueue<>(INBOX_CHUNK); // bounded by the reservations
        return INBOX.compareAndSet(this, null, made) ? made : inbox;
    }

    private void discardOldest(QueueLimits limits) {
        if (limits.behavior() != FullBehavior.DISCARD_OLD_MESSAGES) {
            return;
        }
        int depthTarget = depth > limits.maxMessages() ? limits.discardTarget() : limits.maxMessages();
        long bytesTarget = limits.hasTooMuch(waitingBytes) ? limits.discardTargetBytes() : Long.MAX_VALUE;
        int count = 0;
        while ((depth > depthTarget || waitingBytes > bytesTarget) && waiting.size() > 1) {
            forget();
            count++;
        }
        discarded += count;
        home.counters().add(Counter.MESSAGES_DISCARDED, count);
        noteMissed(count);
    }

    /** Counts what has passed the consumer by. Not exact among several threads, which this need not be. */
    private void noteMissed(int count) {
        int before = missedSinceSettle;
        int now = (int) Math.min(Integer.MAX_VALUE, (long) before + count);
        missedSinceSettle = now;
        long tolerated = Math.min((long) neverAcknowledgingMultiple * limits.maxMessages(), Integer.MAX_VALUE - 1);
        if (tolerated > 0 && before <= tolerated && now > tolerated) {
            home.execute(this::disconnectNeverAcknowledging);
        }
    }

    private static boolean mayOverfill(int messages, QueueLimits limits) {
        return limits.behavior() == FullBehavior.DISCARD_OLD_MESSAGES && messages < limits.overfull();
    }

    private boolean hasRoomAfter(int messages, QueueLimits limits) {
        return messages < limits.maxMessages() && (limits.maxBytes() == 0 || waitingBytes < limits.maxBytes());
    }

    /** Removes the message at the front and everything that counts it. */
    private void forget() {
        removeWaiting();
        release();
    }

    private void removeWaiting() {
        countWaiting(messageOf(waiting.poll()), -1);
    }

    private void countWaiting(Message message, int sign) {
        int sizeBytes = message.sizeBytes() * sign;
        waitingBytes += sizeBytes;
        home.counters().add(Counter.BUFFERED_MESSAGES, sign);
        home.counters().add(Counter.BUFFERED_BYTES, sizeBytes);
    }

    /** A message ran out of time at a consumer's outpost. Any thread. */
    void expire(Message message, long reference, IoLoop caller) {
        caller.counters().increment(Counter.MESSAGES_EXPIRED);
        settle(message, reference);
    }

    private void countExpired(int count) {
        expired += count;
        home.counters().add(Counter.MESSAGES_EXPIRED, count);
    }

    /** The first message that can expire arms a sweep; a queue without such messages has no timer. */
    private void noteExpiry(Message message) {
        if (message.expires() && expirySweep == null) {
            armExpirySweep(message.expiryDeadlineNs() - home.clock().nanoTime());
        }
    }

    private void armExpirySweep(long delayNs) {
        expirySweep = home.timers().schedule(Math.max(EXPIRY_SWEEP_INTERVAL_NS, delayNs), this::removeExpired);
    }

    /** A deadline may be years ahead: a queue that is gone must not wait for it. */
    private void cancelExpirySweep() {
        if (expirySweep != null) {
            expirySweep.cancel();
            expirySweep = null;
        }
    }

    private void removeExpired() {
        IoLoop home = this.home;
        if (!home.inLoop()) {
            home.execute(this::removeExpired);
            return;
        }
        cancelExpirySweep();
        long nowNs = home.clock().nanoTime();
        long nextDelayNs = Long.MAX_VALUE;
        int count = 0;
        for (int left = waiting.size(); left > 0; left--) {
            Object entry = Objects.requireNonNull(waiting.poll());
            Message message = messageOf(entry);
            if (message.isExpired(nowNs)) {
                countWaiting(message, -1);
                release();
                count++;
            } else {
                waiting.addLast(entry);
                nextDelayNs =
                        message.expires() ? Math.min(nextDelayNs, message.expiryDeadlineNs() - nowNs) : nextDelayNs;
            }
        }
        countExpired(count);
        if (nextDelayNs != Long.MAX_VALUE) {
            armExpirySweep(nextDelayNs);
        }
    }

    private void noteDepth() {
        int depth = this.depth;
        if (depth > highWaterMark) {
            highWaterMark = depth;
        }
    }

    private void disconnectNeverAcknowledging() {
        IoLoop home = this.home;
        if (!home.inLoop()) {
            home.execute(this::disconnectNeverAcknowledging);
        } else if (consumers.length == 1 && depth > waiting.size()) {
            consumers[0].onNeverAcknowledging();
        }
    }

    private void swap(int a, int b) {
        Consumer kept = consumers[a];
        consumers[a] = consumers[b];
        consumers[b] = kept;
    }

    static Message messageOf(@Nullable Object entry) {
        return entry instanceof RoutedMessage routed ? routed.message() : (Message) Objects.requireNonNull(entry);
    }

    static long referenceOf(Object entry) {
        return entry instanceof RoutedMessage routed ? routed.reference() : NOT_STORED;
    }

    static Unsettled unsettledOf(Object entry) {
        return new Unsettled(messageOf(entry), referenceOf(entry));
    }

    static @Nullable DeliveryOptions optionsOf(@Nullable Object entry) {
        return entry instanceof RoutedMessage routed ? routed.options() : null;
    }

    @Override
    public String toString() {
        return name;
    }
}
