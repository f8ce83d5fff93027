package dev.avocet.core.time;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Coarse timers for one owner thread: keep alive, session expiry, will delay. Scheduling and cancelling cost O(1) and a
 * timer that is never due costs nothing, so that a hundred thousand idle connections need no thread and no heap of
 * deadlines.
 *
 * <p>A hashed wheel: {@value #SLOTS} slots of one tick each; a timer further away than one turn stays in its slot and
 * is looked at once a turn. A timer fires in the first {@link #advance} after its deadline, so up to one tick late and
 * never early.
 *
 * <p>Not thread-safe: everything happens on the owner thread.
 */
public final class TimerWheel {
    private static final int SLOTS = 1024;

    private final Clock clock;
    private final long tickNs;
    private final @Nullable Timer[] slots = new Timer[SLOTS];
    private final long originNs;
    private long doneTicks;
    private int size;

    public TimerWheel(Clock clock, long tickNs) {
        if (tickNs <= 0) {
            throw new IllegalArgumentException("tickNs must be positive: " + tickNs);
        }
        this.clock = clock;
        this.tickNs = tickNs;
        this.originNs = clock.nanoTime();
    }

    /** Runs {@code action} once, {@code delayNs} from now or later by at most one tick. */
    public Timer schedule(long delayNs, Runnable action) {
        long deadlineNs = clock.nanoTime() - originNs + Math.max(0, delayNs);
        long tick = Math.max(doneTicks + 1, (deadlineNs + tickNs - 1) / tickNs);
        Timer timer = new Timer(this, tick, action);
        link(timer);
        return timer;
    }

    /** Fires everything that is due. Called by the owner once a tick. */
    public void advance() {
        long nowTicks = (clock.nanoTime() - originNs) / tickNs;
        if (nowTicks - doneTicks >= SLOTS) {
            advanceWholeTurn(nowTicks);
            return;
        }
        while (doneTicks < nowTicks) {
            doneTicks++;
            fireSlot((int) (doneTicks & (SLOTS - 1)), doneTicks);
        }
    }

    /** Timers that have neither fired nor been cancelled. */
    public int size() {
        return size;
    }

    /**
     * After a jump of a whole turn or more every slot may hold something due; it fires in the order of the deadlines.
     */
    private void advanceWholeTurn(long nowTicks) {
        doneTicks = nowTicks;
        List<Timer> due = new ArrayList<>();
        for (Timer head : slots) {
            collectDue(head, nowTicks, due);
        }
        due.sort(Comparator.comparingLong(timer -> timer.tick));
        fireAll(due);
    }

    private void fireSlot(int slot, long tick) {
        if (slots[slot] != null) {
            List<Timer> due = new ArrayList<>();
            collectDue(slots[slot], tick, due);
            fireAll(due);
        }
    }

    /**
     * An action that throws does not keep the others from being run: their slot is not looked at again before a whole
     * turn.
     */
    private static void fireAll(List<Timer> due) {
        int next = 0;
        try {
            while (next < due.size()) {
                fire(due.get(next++));
            }
        } finally {
            if (next < due.size()) {
                fireAll(due.subList(next, due.size()));
            }
        }
    }

    /** Due timers are collected before the first one fires, because an action may cancel or schedule others. */
    private static void collectDue(@Nullable Timer head, long tick, List<Timer> due) {
        for (Timer timer = head; timer != null; timer = timer.next) {
            if (timer.tick <= tick) {
                due.add(timer);
            }
        }
    }

    private static void fire(Timer timer) {
        if (timer.linked) {
            timer.wheel.unlink(timer);
            timer.action.run();
        }
    }

    private void link(Timer timer) {
        int slot = (int) (timer.tick & (SLOTS - 1));
        Timer head = slots[slot];
        timer.next = head;
        if (head != null) {
            head.previous = timer;
        }
        slots[slot] = timer;
        timer.linked = true;
        size++;
    }

    private void unlink(Timer timer) {
        if (timer.previous != null) {
            timer.previous.next = timer.next;
        } else {
            slots[(int) (timer.tick & (SLOTS - 1))] = timer.next;
        }
        if (timer.next != null) {
            timer.next.previous = timer.previous;
        }
        timer.previous = null;
        timer.next = null;
        timer.linked = false;
        size--;
    }

    /** One scheduled action. */
    public static final class Timer {
        private final TimerWheel wheel;
        private final long tick;
        private final Runnable action;
        private @Nullable Timer previous;
        private @Nullable Timer next;
        private boolean linked;

        private Timer(TimerWheel wheel, long tick, Runnable action) {
            this.wheel = wheel;
            this.tick = tick;
            this.action = action;
        }

        /** Takes the timer back; does nothing when it has fired or been cancelled already. Owner thread only. */
        public void cancel() {
            if (linked) {
                wheel.unlink(this);
            }
        }
    }
}
