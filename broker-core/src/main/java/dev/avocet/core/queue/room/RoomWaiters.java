package dev.avocet.core.queue.room;

import dev.avocet.core.queue.room.RoomWaiter.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Publishers that wait for room in one queue, in the order in which they came. One that was called keeps its place
 * until it has answered: by {@linkplain #stop giving it up}, or by waiting on, as others were faster. Any thread; the
 * lock is held for some steps, and only while publishers wait.
 *
 * <p>Invariant: those who wait stand in the order of their places, so to call the next ones is to take the first ones.
 * Who comes stands last. Who comes back had been taken from the front, so it stands before all that were never called,
 * and its place is looked for from the last one backwards that came back before it: they come back nearly in order.
 */
final class RoomWaiters {
    // guarded by this
    private @Nullable RoomWaiter first;
    private @Nullable RoomWaiter last;
    /** The last one of those that came back, which stand before all others; null when none of them waits. */
    private @Nullable RoomWaiter lastBack;

    private int called;
    private long lastPlace;

    private volatile int count;

    /** True when a publisher waits that has not been called. */
    boolean isAnyWaiting() {
        return count > 0;
    }

    /** Adds a waiter behind the others; one that was called and has not answered has its old place again. */
    synchronized void add(RoomWaiter waiter) {
        if (waiter.state == State.WAITING) {
            return;
        }
        if (waiter.state == State.CALLED) {
            called--;
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
            called--;
        }
        waiter.state = State.OUT;
    }

    /**
     * Takes the first ones, to be called: as many as there is room for beside those that were called before.
     *
     * @param room how many find room
     * @param least no publisher is woken for less, unless fewer wait
     */
    synchronized List<RoomWaiter> take(int room, int least) {
        int most = Math.min(room - called, count);
        if (most < Math.min(least, count) || most <= 0) {
            return List.of();
        }
        return takeFirst(most);
    }

    /** Takes all, to be called. */
    synchronized List<RoomWaiter> takeAll() {
        return takeFirst(count);
    }

    private List<RoomWaiter> takeFirst(int number) {
        RoomWaiter[] taken = new RoomWaiter[number];
        RoomWaiter waiter = first;
        for (int i = 0; i < number && waiter != null; i++) {
            RoomWaiter next = waiter.next;
            waiter.state = State.CALLED;
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
        called += number;
        count = count - number;
        return List.of(taken);
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
