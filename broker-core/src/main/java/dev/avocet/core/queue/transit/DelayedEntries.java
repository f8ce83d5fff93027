package dev.avocet.core.queue.transit;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.time.TimerWheel.Timer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Entries whose time has yet to come, and the timer for the first of them. Those whose time comes together become due
 * in turns: the loop serves its clients in between. Home loop.
 */
public final class DelayedEntries<E extends DelayedEntries.Entry> {
    /** Each goes to a receiver or into a line. */
    private static final int DUE_PER_TURN = 500;

    private static final long NS_PER_MS = 1_000_000;
    private static final long LONGEST_MS = 24 * 3_600_000L;

    private final DelayedHeap<E> entries = new DelayedHeap<>();
    private final Supplier<IoLoop> home;
    private final Consumer<E> due;
    private @Nullable Timer timer;
    private long timerWallMs;
    /** The next turn, while more are due than one turn takes; one that is not the next any longer does nothing. */
    private @Nullable Runnable nextTurn;

    /**
     * @param home may change between {@link #stop} and {@link #start}
     * @param due gets each entry when its time has come
     */
    public DelayedEntries(Supplier<IoLoop> home, Consumer<E> due) {
        this.home = home;
        this.due = due;
    }

    /** Whether that is in the future, in milliseconds since 1970. */
    public static boolean isAhead(long wallMs, IoLoop home) {
        return wallMs != 0 && wallMs > home.clock().wallTimeMs();
    }

    /** Whether its time has yet to come. */
    public boolean isDelayed(Entry entry) {
        return isAhead(entry.notBeforeWallMs(), home.get());
    }

    /** An entry is held back until its time has come. */
    public void add(E entry) {
        entries.add(entry);
        arm();
    }

    /** Takes an entry away before its time. */
    public void remove(E entry) {
        entries.remove(entry);
    }

    /** Takes the entry away whose time comes first; null when there is none. */
    public @Nullable E poll() {
        E first = entries.first();
        if (first != null) {
            entries.remove(first);
        }
        return first;
    }

    /** The entry whose time comes first; null when there is none. */
    public @Nullable E first() {
        return entries.first();
    }

    /** How many there are. */
    public int size() {
        return entries.size();
    }

    /** All of them, in no order. */
    public List<E> copy() {
        return entries.copy();
    }

    /** Forgets all of them, and the timer with them. */
    public void clear() {
        entries.clear();
        stop();
    }

    /** Entries become due no more until {@link #start}. */
    public void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        nextTurn = null;
    }

    /** Goes on after {@link #stop}, on the home that there is now. */
    public void start() {
        arm();
    }

    private void arm() {
        E first = entries.first();
        if (first == null || nextTurn != null || timer != null && timerWallMs <= first.notBeforeWallMs()) {
            return;
        }
        stop();
        timerWallMs = first.notBeforeWallMs();
        IoLoop loop = home.get();
        long delayMs =
                Math.min(LONGEST_MS, Math.max(0, timerWallMs - loop.clock().wallTimeMs()));
        timer = loop.timers().schedule(delayMs * NS_PER_MS, this::onTime);
    }

    private void onTime() {
        timer = null;
        turn();
    }

    private void turn() {
        E first = entries.first();
        for (int left = DUE_PER_TURN; first != null && !isDelayed(first); left--) {
            if (left == 0) {
                goOnLater();
                return;
            }
            entries.remove(first);
            due.accept(first);
            first = entries.first();
        }
        arm();
    }

    private void goOnLater() {
        Runnable next = new Runnable() {
            @Override
            public void run() {
                if (nextTurn == this) {
                    nextTurn = null;
                    turn();
                }
            }
        };
        nextTurn = next;
        home.get().executeAfterInput(next);
    }

    /** What is delayed. */
    public abstract static class Entry {
        /** Where it stands among those that are delayed; less than 0 when it is none of them. */
        int place = -1;

        /** When it is due, in milliseconds since 1970. */
        protected abstract long notBeforeWallMs();

        /** Of those that are due at the same time the lower comes first. */
        protected abstract long order();

        final boolean isBefore(Entry other) {
            long mine = notBeforeWallMs();
            long its = other.notBeforeWallMs();
            return mine < its || mine == its && order() < other.order();
        }
    }
}
