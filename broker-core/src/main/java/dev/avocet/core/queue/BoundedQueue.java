package dev.avocet.core.queue;

import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.queue.reference.Durability;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReadAheadLimits;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.room.QueueFigures;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueRoom;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.room.RoomWaiter;
import dev.avocet.core.queue.transit.DeliverySource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What any thread may ask of a queue: who it is, where its home is, how much room is left, whether it survives. Nothing
 * here locks.
 *
 * <p>Invariant: {@code depth} = granted reservations not yet put + inbox + waiting + in flight, so the bound holds
 * whatever thread a message is on.
 */
public abstract sealed class BoundedQueue permits MessageQueue {
    private static final VarHandle DURABILITY;

    static {
        try {
            DURABILITY = MethodHandles.lookup().findVarHandle(BoundedQueue.class, "durability", Durability.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final QueueRoom room;
    private final QueueFigures figures = new QueueFigures();
    private volatile IoLoop home;
    private volatile @Nullable Durability durability;

    BoundedQueue(String name, IoLoop home, QueueLimits limits) {
        this.name = name;
        this.home = home;
        this.room = new QueueRoom(limits);
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

    /**
     * Takes room for one message, which will be stored if the queue is durable, and so needs memory for hardly more
     * than its reference. {@link Reservation#GRANTED} obliges the caller to {@link MessageQueue#put} or
     * {@link #release}; so a publisher can first make sure that every queue has room and only then hand the message to
     * any. Any thread.
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
     * Takes room for a run that is not to be stored, if there is room for all of it. Then
     * {@link MessageQueue#put(MessageRun, IoLoop)} or {@link #release(int)} must follow; else room has to be
     * {@linkplain #reserveUnstored taken} for each message by itself. Any thread.
     */
    public boolean reserveUnstored(MessageRun run) {
        return home.memory().buffersMessages() && room.reserveAll(run.size(), run.sizeBytes());
    }

    /** Takes room for one message whether there is any or not, as it was granted in an earlier life. Any thread. */
    public void takeRoom() {
        room.take();
    }

    /** Gives a granted reservation back unused. Any thread. */
    public void release() {
        room.release();
    }

    /** Gives back the room of that many messages, which was granted and is not used. Any thread. */
    public void release(int messages) {
        room.release(messages);
    }

    /** Counts a message that found the queue full. Any thread. */
    public void countRejected(IoLoop caller) {
        figures.countRejected(caller);
        noteMissed(1);
    }

    /** Messages were lost to the full queue; what that means to its consumers is the queue's own. Any thread. */
    void noteMissed(int count) {}

    /**
     * Makes the queue survive: from now on what is {@linkplain MessageQueue#putStored put with a reference} is kept in
     * the store. Any thread; only the first call counts.
     *
     * @param id identifies the queue in the store, not {@link DeliverySource#NOT_STORED}
     */
    public void makeDurable(long id, QueueStore store) {
        makeDurable(id, store, ReadAheadLimits.DEFAULT);
    }

    void makeDurable(long id, QueueStore store, ReadAheadLimits readAhead) {
        DURABILITY.compareAndSet(this, null, new Durability(id, store, readAhead));
    }

    /**
     * Identifies the queue in the store, however often the broker starts; {@link DeliverySource#NOT_STORED} when it
     * does not survive.
     */
    public long durableId() {
        Durability durability = this.durability;
        return durability == null ? DeliverySource.NOT_STORED : durability.queueId();
    }

    /** A number for a reference that is about to be written, greater than all before. Any thread. */
    public long nextReference() {
        return durability().takeReference();
    }

    public boolean isClosed() {
        return room.isClosed();
    }

    /**
     * Calls a waiter once when there may be room again; at once if there is. Those who wait have their turns in the
     * order in which they came. Who was called answers with {@link #stopAwaitingRoom} once it has taken what it wants,
     * or with this and the same waiter where others have been faster: then it keeps its place. Any thread.
     */
    public void awaitRoom(RoomWaiter waiter) {
        room.await(waiter);
    }

    /** Takes a waiter back that waits for room, or was called. Any thread. */
    public void stopAwaitingRoom(RoomWaiter waiter) {
        room.stopAwaiting(waiter);
    }

    /** True when a message would fit now without anything being refused, removed or waited for. Any thread. */
    public boolean hasRoom() {
        return room.hasRoom();
    }

    /** Messages waiting, in flight, or on their way. Any thread. */
    public int depth() {
        return room.depth();
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

    QueueRoom room() {
        return room;
    }

    QueueFigures figures() {
        return figures;
    }

    /** The queue has moved. Home loop. */
    void home(IoLoop now) {
        home = now;
    }

    @Override
    public String toString() {
        return name;
    }
}
