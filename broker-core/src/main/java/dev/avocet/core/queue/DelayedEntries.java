package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.time.TimerWheel.Timer;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Entries whose time has yet to come, and the timer for the first of them. Home loop. */
final class DelayedEntries<E extends DelayedEntries.Entry> {
    private static final long NS_PER_MS = 1_000_000;
    private static final long LONGEST_MS = 24 * 3_600_000L;

    private final PriorityQueue<E> entries = new PriorityQueue<>(
            Comparator.comparingLong((E entry) -> entry.notBeforeWallMs()).thenComparingLong(Entry::order));
    private final Supplier<IoLoop> home;
    private final Consumer<E> due;
    private @Nullable Timer timer;
    private long timerWallMs;

    /**
     * @param home may change between {@link #stop} and {@link #start}
     * @param due gets each entry when its time has come
     */
    DelayedEntries(Supplier<IoLoop> home, Consumer<E> due) {
        this.home = home;
        this.due = due;
    }

    /** Whether that is in the future, in milliseconds since 1970. */
    static boolean isAhead(long wallMs, IoLoop home) {
        return wallMs != 0 && wallMs > home.clock().wallTimeMs();
    }

    boolean isDelayed(Entry entry) {
        return isAhead(entry.notBeforeWallMs(), home.get());
    }

    void add(E entry) {
        entries.add(entry);
        arm();
    }

    void remove(E entry) {
        entries.remove(entry);
    }

    void removeIf(Predicate<E> which) {
        entries.removeIf(which);
    }

    /** Takes the entry away whose time comes first; null when there is none. */
    @Nullable E poll() {
        return entries.poll();
    }

    /** The entry whose time comes first; null when there is none. */
    @Nullable E first() {
        return entries.peek();
    }

    int size() {
        return entries.size();
    }

    void forEach(Consumer<E> action) {
        entries.forEach(action);
    }

    void clear() {
        entries.clear();
        stop();
    }

    /** Entries become due no more until {@link #start}. */
    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** Goes on after {@link #stop}, on the home that there is now. */
    void start() {
        arm();
    }

    private void arm() {
        E first = entries.peek();
        if (first == null || timer != null && timerWallMs <= first.notBeforeWallMs()) {
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
        E first = entries.peek();
        while (first != null && !isDelayed(first)) {
            entries.poll();
            due.accept(first);
            first = entries.peek();
        }
        arm();
    }

    /** What is delayed. */
    interface Entry {
        /** When it is due, in milliseconds since 1970. */
        long notBeforeWallMs();

        /** Of those that are due at the same time the lower comes first. */
        long order();
    }
}
