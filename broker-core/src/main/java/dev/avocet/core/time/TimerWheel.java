package dev.avocet.core.time;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Coarse timers for one owner thread: keep alive, session expiry, will delay. Scheduling and cancelling cost O(1) and a timer that
 * is never due costs nothing, so that a hundred thousand idle connections need no thread and no heap of deadlines.
 *
 * <p>A hashed wheel: {@value #SLOTS} slots of one tick each; a timer further away than one turn stays in its slot and is looked at
 * once a turn. A timer fires in the first {@link #advance} after its deadline, so up to one tick late and never early.
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

    /** After a jump of a whole turn or more every slot is due; timers fire in the order of their deadlines. */
    private void advanceWholeTurn(long nowTicks) {
        doneTicks = nowTicks;
        Timer[] due = new Timer[size];
        int count = 0;
        for (Timer head : slots) {
            for (Timer timer = head; timer != null; timer = timer.next) {
                if (timer.tick <= nowTicks) {
                    due[count++] = timer;
                }
            }
        }
        Arrays.sort(due, 0, count, (a, b) -> Long.compare(a.tick, b.tick));
        for (int i = 0; i < count; i++) {
            fire(due[i]);
        }
    }

    private void fireSlot(int slot, long tick) {
        Timer timer = slots[slot];
        while (timer != null) {
            Timer next = timer.next;
            if (timer.tick <= tick && timer.linked) {
                fire(timer);
                next = next != null && next.linked ? next : slots[slot] == next ? next : restart(slot, tick);
            }
            timer = next;
        }
    }

    /** An action may have cancelled the timer that we stood before; what is due and still linked is found again from the head. */
    private @Nullable Timer restart(int slot, long tick) {
        for (Timer timer = slots[slot]; timer != null; timer = timer.next) {
            if (timer.tick <= tick) {
                return timer;
            }
        }
        return null;
    }

    private void fire(Timer timer) {
        if (timer.linked) {
            unlink(timer);
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
