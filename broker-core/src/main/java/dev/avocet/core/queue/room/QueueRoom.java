package dev.avocet.core.queue.room;

import dev.avocet.core.config.object.policy.FullBehavior;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How much of a queue's room is taken, and the publishers that wait for some. Each waiter has an action that hands
 * itself to the publisher's own loop; bounded by the number of publishing connections, each of which has one waiter at
 * most in a queue and takes it back when it ends. Any thread, except {@link #showBytes} and {@link #close}, which are
 * the home loop's.
 */
public final class QueueRoom {
    private static final VarHandle DEPTH;

    static {
        try {
            DEPTH = MethodHandles.lookup().findVarHandle(QueueRoom.class, "depth", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Those who wait are woken when this part of the room is free, or there is room for all of them. */
    private static final int LOW_WATER_PART = 20;

    private volatile QueueLimits limits;
    private volatile int depth;
    private volatile long bufferedBytes;
    private volatile long storedBytes;
    private volatile boolean closed;
    private volatile @Nullable RoomWaiters waiters;

    /** @param limits may be {@linkplain #limits(QueueLimits) replaced} later */
    public QueueRoom(QueueLimits limits) {
        this.limits = limits;
    }

    /** As they are now. */
    public QueueLimits limits() {
        return limits;
    }

    /** Replaces them; they hold from the next message on. */
    public void limits(QueueLimits changed) {
        limits = changed;
        RoomWaiters present = waiters;
        if (present != null && changed.behavior() == FullBehavior.BACKPRESSURE) {
            wake(present);
        } else {
            wakeAll(); // they are refused
        }
    }

    /** Messages for which room is taken. */
    public int depth() {
        return depth;
    }

    /** True once the queue has ended. */
    public boolean isClosed() {
        return closed;
    }

    /** From now on nothing is refused: messages go nowhere, which is no reason to refuse them to others. */
    public void close() {
        closed = true;
    }

    /**
     * Takes room for one message, if there is any.
     *
     * @param memoryLeft whether the broker has memory for what has to be kept there of it
     */
    public Reservation reserve(boolean memoryLeft) {
        QueueLimits present = limits;
        if (isTaken(depth, memoryLeft, present)) {
            if (isTaken((int) DEPTH.getAndAdd(this, 1), memoryLeft, present)) {
                return Reservation.GRANTED;
            }
            release(); // a waiter that looked meanwhile has seen one message too many: it is woken if it has to be
        }
        return memoryLeft && present.behavior() == FullBehavior.BACKPRESSURE ? Reservation.WAIT : Reservation.FULL;
    }

    /**
     * Takes room for some messages, if there is room for all of them. Unlike {@link #reserve} it never takes more than
     * there is, not for a moment: others would be refused for so many.
     *
     * @param bytes what they take of the memory if they wait
     */
    public boolean reserveAll(int count, long bytes) {
        QueueLimits present = limits;
        int before;
        do {
            before = depth;
            if (!closed
                    && (before + count > present.maxMessages()
                            || !present.leavesBytes(bufferedBytes + bytes, storedBytes))) {
                return false;
            }
        } while (!DEPTH.compareAndSet(this, before, before + count));
        return true;
    }

    /** Takes room for one message whether there is any or not. */
    public void take() {
        DEPTH.getAndAdd(this, 1);
    }

    /** Gives the room of one message back; publishers that wait for it are woken. */
    public void release() {
        release(1);
    }

    /** Gives the room of so many messages back; publishers that wait for it are woken. */
    public void release(int count) {
        DEPTH.getAndAdd(this, -count);
        wakeIfRoom();
    }

    /** True when a message would fit now without anything being refused, removed or waited for. */
    public boolean hasRoom() {
        QueueLimits present = limits;
        return closed || hasRoomAfter(depth, present);
    }

    /** What of the waiting messages the store has, as last shown. */
    public long storedBytes() {
        return storedBytes;
    }

    /** Publishes how many bytes wait: those that are in memory only, and those that the store has. */
    public void showBytes(long buffered, long stored) {
        if (buffered != bufferedBytes) {
            bufferedBytes = buffered;
        }
        if (stored != storedBytes) {
            storedBytes = stored;
        }
    }

    /** Calls a waiter once when there may be room again; at once if there is. Each is called in its turn. */
    public void await(RoomWaiter waiter) {
        RoomWaiters present = waiters;
        if (present == null) {
            synchronized (this) { // only while a queue is full for the first time
                present = waiters == null ? waiters = new RoomWaiters(this) : waiters;
            }
        }
        present.add(waiter);
        wake(present);
    }

    /**
     * Takes a waiter back that was not called, though another thread may be about to call it all the same; or says of
     * one that was called that it has taken the room that it wants.
     */
    public void stopAwaiting(RoomWaiter waiter) {
        RoomWaiters present = waiters;
        if (present != null && !waiter.stopInTurn()) {
            present.stop(waiter);
            wakeIfRoom(); // the room that it was called for may be another's
        }
    }

    /** A loop has seen so many of those that were called together. */
    void endCalls(int number) {
        RoomWaiters present = waiters;
        if (present != null) {
            present.endCalls(number);
            wakeIfRoom(); // some may have left what they were called for to others
        }
    }

    /**
     * Wakes waiting publishers in their order, when there is room for several. A volatile read until the first one
     * waits.
     */
    public void wakeIfRoom() {
        RoomWaiters present = waiters;
        if (present != null && present.isAnyWaiting() && hasRoom()) {
            int places = places();
            wake(present, places, Math.max(1, (depth + places) / LOW_WATER_PART));
        }
    }

    private void wake(RoomWaiters present) {
        if (hasRoom()) {
            wake(present, places(), 1);
        }
    }

    private void wake(RoomWaiters present, int places, int least) {
        if (present.isWorthTaking(places, least)) {
            present.take(places, least).begin();
        }
    }

    /** How many messages like those that wait would fit. */
    private int places() {
        if (closed) {
            return Integer.MAX_VALUE;
        }
        QueueLimits present = limits;
        int messages = Math.max(1, depth);
        long byBuffered = places(present.maxBufferedBytes(), bufferedBytes, messages);
        long byStored = places(present.maxStoredBytes(), storedBytes, messages);
        long places = Math.min(present.maxMessages() - (long) depth, Math.min(byBuffered, byStored));
        return (int) Math.max(1, places);
    }

    private static long places(long mostBytes, long bytes, int messages) {
        return mostBytes == 0 || bytes <= 0 ? Integer.MAX_VALUE : (mostBytes - bytes) / Math.max(1, bytes / messages);
    }

    /** Calls all waiters, whether there is room or not. */
    public void wakeAll() {
        RoomWaiters present = waiters;
        if (present != null) {
            present.takeAll().begin();
        }
    }

    private boolean isTaken(int messages, boolean memoryLeft, QueueLimits present) {
        return closed || memoryLeft && (hasRoomAfter(messages, present) || mayOverfill(messages, present));
    }

    private boolean hasRoomAfter(int messages, QueueLimits present) {
        return messages < present.maxMessages() && present.leavesBytes(bufferedBytes, storedBytes);
    }

    private static boolean mayOverfill(int messages, QueueLimits present) {
        return present.behavior() == FullBehavior.DISCARD_OLD_MESSAGES && messages < present.overfull();
    }
}
