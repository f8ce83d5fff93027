package dev.avocet.core.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How much of a queue's room is taken, and the publishers that wait for some. Each waiter is an action that hands
 * itself to the publisher's own loop; bounded by the number of publishing connections, each of which waits with one
 * action at most and takes it back when it ends. Any thread, except {@link #showBytes} and {@link #close}, which are
 * the home loop's.
 */
final class QueueRoom {
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

    QueueRoom(QueueLimits limits) {
        this.limits = limits;
    }

    QueueLimits limits() {
        return limits;
    }

    void limits(QueueLimits changed) {
        limits = changed;
        wakeAll();
    }

    /** Messages for which room is taken. */
    int depth() {
        return depth;
    }

    boolean isClosed() {
        return closed;
    }

    /** From now on nothing is refused: messages go nowhere, which is no reason to refuse them to others. */
    void close() {
        closed = true;
    }

    /**
     * Takes room for one message, if there is any.
     *
     * @param memoryLeft whether the broker has memory for what has to be kept there of it
     */
    Reservation reserve(boolean memoryLeft) {
        QueueLimits present = limits;
        int before = (int) DEPTH.getAndAdd(this, 1);
        if (closed) {
            return Reservation.GRANTED;
        }
        if (memoryLeft && (hasRoomAfter(before, present) || mayOverfill(before, present))) {
            return Reservation.GRANTED;
        }
        release(); // a waiter that looked meanwhile has seen one message too many: it is woken now if it has to be
        return memoryLeft && present.behavior() == FullBehavior.BACKPRESSURE ? Reservation.WAIT : Reservation.FULL;
    }

    /**
     * Takes room for some messages, if there is room for all of them. Unlike {@link #reserve} it never takes more than
     * there is, not for a moment: others would be refused for so many.
     *
     * @param bytes what they take of the memory if they wait
     */
    boolean reserveAll(int count, long bytes) {
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
    void take() {
        DEPTH.getAndAdd(this, 1);
    }

    void release() {
        release(1);
    }

    void release(int count) {
        DEPTH.getAndAdd(this, -count);
        wakeIfRoom();
    }

    /** True when a message would fit now without anything being refused, removed or waited for. */
    boolean hasRoom() {
        QueueLimits present = limits;
        return closed || hasRoomAfter(depth, present);
    }

    /** What of the waiting messages the store has, as last shown. */
    long storedBytes() {
        return storedBytes;
    }

    /** Publishes how many bytes wait: those that are in memory only, and those that the store has. */
    void showBytes(long buffered, long stored) {
        if (buffered != bufferedBytes) {
            bufferedBytes = buffered;
        }
        if (stored != storedBytes) {
            storedBytes = stored;
        }
    }

    /** Runs an action once when there may be room again; at once if there is. Each is run in its turn. */
    void await(Runnable action) {
        RoomWaiters present = waiters;
        if (present == null) {
            synchronized (this) { // only while a queue is full for the first time
                present = waiters == null ? waiters = new RoomWaiters() : waiters;
            }
        }
        present.add(action);
        wake(present, 1);
    }

    /**
     * Takes an action back that has not run, though another thread may be about to run it all the same; or says of one
     * that has run that it has taken the room that it wants.
     */
    void stopAwaiting(Runnable action) {
        RoomWaiters present = waiters;
        if (present != null) {
            present.stop(action);
            wakeIfRoom(); // the room that it was called for may be another's
        }
    }

    /**
     * Wakes those who wait in their turn, when there is room for several. A volatile read when nobody has ever waited.
     */
    void wakeIfRoom() {
        RoomWaiters present = waiters;
        if (present != null && present.isAnyWaiting()) {
            wake(present, Math.max(1, (depth + places()) / LOW_WATER_PART));
        }
    }

    private void wake(RoomWaiters present, int least) {
        if (hasRoom()) {
            present.take(closed ? Integer.MAX_VALUE : places(), least).forEach(Runnable::run);
        }
    }

    /** How many messages like those that wait would fit. */
    private int places() {
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

    void wakeAll() {
        RoomWaiters present = waiters;
        if (present != null) {
            present.takeAll().forEach(Runnable::run);
        }
    }

    private boolean hasRoomAfter(int messages, QueueLimits present) {
        return messages < present.maxMessages() && present.leavesBytes(bufferedBytes, storedBytes);
    }

    private static boolean mayOverfill(int messages, QueueLimits present) {
        return present.behavior() == FullBehavior.DISCARD_OLD_MESSAGES && messages < present.overfull();
    }
}
