package dev.avocet.core.queue.room;

import dev.avocet.core.queue.room.RoomWaiter.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Publishers that wait for room in one queue, in the order in which they came. One that was called keeps its place
 * until it has answered: by {@linkplain #stop giving it up}, or by waiting on, as others were faster. One that is
 * called on its loop counts as called until {@link #endCalls} says that the loop has seen it. Any thread; the lock is
 * held for some steps, and only while publishers wait.
 *
 * <p>Invariant: those who wait stand in the order of their places, so to call the next ones is to take the first ones.
 * Who comes stands last. Who comes back had been taken from the front, so it stands before all that were never called,
 * and its place is looked for from the last one backwards that came back before it: they come back nearly in order.
 */
final class RoomWaiters {
    private final QueueRoom room;

    // guarded by this
    private @Nullable RoomWaiter first;
    private @Nullable RoomWaiter last;
    /** The last one of those that came back, which stand before all others; null when none of them waits. */
    private @Nullable RoomWaiter lastBack;

    private long lastPlace;
    private long lastCall;

    // written under the lock
    private volatile int called;
    private volatile int count;

    RoomWaiters(QueueRoom room) {
        this.room = room;
    }

    /** True when a publisher waits that has not been called. */
    boolean isAnyWaiting() {
        return count > 0;
    }

    /** True when {@link #take} would take a publisher. */
    boolean isWorthTaking(int places, int least) {
        int waiting = count;
        int most = Math.min(places - called, waiting);
        return most > 0 && most >= Math.min(least, waiting);
    }

    /** Adds a waiter behind the others; one that was called and has not answered has its old place again. */
    synchronized void add(RoomWaiter waiter) {
        if (waiter.state == State.WAITING) {
            return;
        }
        if (waiter.state == State.CALLED) {
            answered(waiter);
            linkBack(waiter);
        } else {
            waiter.place = ++lastPlace;
            link(waiter, last);
        }
        waiter.state = State.WAITING;
        count = count + 1;
    }

    /** The waiter waits no longer, or answers that it was called. */
    synchronized void stop(RoomWaiter waiter) {
        if (waiter.state == State.WAITING) {
            unlink(waiter);
            count = count - 1;
        } else if (waiter.state == State.CALLED) {
            answered(waiter);
        }
        waiter.leave();
    }

    /** So many that were called on their loop have had their turn. */
    synchronized void endCalls(int number) {
        called = called - number;
    }

    private void answered(RoomWaiter waiter) {
        waiter.leave();
        if (waiter.loop() == null) {
            called = called - 1;
        }
    }

    /**
     * Takes the first ones, to be called: as many as there is room for beside those that were called before.
     *
     * @param places how many find room
     * @param least no publisher is woken for less, unless fewer wait
     */
    synchronized RoomCall take(int places, int least) {
        return takeFirst(isWorthTaking(places, least) ? Math.min(places - called, count) : 0);
    }

    /** Takes all, to be called. */
    synchronized RoomCall takeAll() {
        return takeFirst(count);
    }

    private RoomCall takeFirst(int number) {
        RoomWaiter[] taken = new RoomWaiter[number];
        RoomCall call = new RoomCall(room, ++lastCall, Arrays.asList(taken));
        RoomWaiter waiter = first;
        for (int i = 0; i < number && waiter != null; i++) {
            RoomWaiter next = waiter.next;
            waiter.state = State.CALLED;
            waiter.calledBy = call.number();
            waiter.previous = null;
            waiter.next = null;
            if (waiter == lastBack) {
                lastBack = null;
            }
            taken[i] = waiter;
            waiter = next;
        }
        first = waiter;
        if (waiter == null) {
            last = null;
        } else {
            waiter.previous = null;
        }
        called = called + number;
        count = count - number;
        return call;
    }

    private void linkBack(RoomWaiter waiter) {
        RoomWaiter before = lastBack;
        while (before != null && before.place > waiter.place) {
            before = before.previous;
        }
        if (before == lastBack) {
            lastBack = waiter;
        }
        link(waiter, before);
    }

    private void link(RoomWaiter waiter, @Nullable RoomWaiter before) {
        RoomWaiter after = before == null ? first : before.next;
        waiter.previous = before;
        waiter.next = after;
        if (before == null) {
            first = waiter;
        } else {
            before.next = waiter;
        }
        if (after == null) {
            last = waiter;
        } else {
            after.previous = waiter;
        }
    }

    private void unlink(RoomWaiter waiter) {
        RoomWaiter before = waiter.previous;
        RoomWaiter after = waiter.next;
        if (waiter == lastBack) {
            lastBack = before;
        }
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
    }
}
