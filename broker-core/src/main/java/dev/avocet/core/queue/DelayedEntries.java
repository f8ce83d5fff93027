package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.time.TimerWheel.Timer;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Entries whose time has yet to come, and the timer for the first of them. Home loop. */
final class DelayedEntries {
    private static final long NS_PER_MS = 1_000_000;
    private static final long LONGEST_MS = 24 * 3_600_000L;

    private final PriorityQueue<QueueEntry> entries =
            new PriorityQueue<>(Comparator.comparingLong((QueueEntry entry) -> entry.standing.notBeforeWallMs())
                    .thenComparingLong(entry -> entry.order));
    private final IoLoop home;
    private final Consumer<QueueEntry> due;
    private @Nullable Timer timer;
    private long timerWallMs;

    DelayedEntries(IoLoop home, Consumer<QueueEntry> due) {
        this.home = home;
        this.due = due;
    }

    boolean isDelayed(QueueEntry entry) {
        return entry.standing.notBeforeWallMs() > home.clock().wallTimeMs();
    }

    void add(QueueEntry entry) {
        entry.state = QueueEntry.State.DELAYED;
        entries.add(entry);
        arm();
    }

    void remove(QueueEntry entry) {
        entries.remove(entry);
    }

    void forEach(Consumer<QueueEntry> action) {
        entries.forEach(action);
    }

    void clear() {
        entries.clear();
        cancel();
    }

    private void arm() {
        QueueEntry first = entries.peek();
        if (first == null || timer != null && timerWallMs <= first.standing.notBeforeWallMs()) {
            return;
        }
        cancel();
        timerWallMs = first.standing.notBeforeWallMs();
        long delayMs =
                Math.min(LONGEST_MS, Math.max(0, timerWallMs - home.clock().wallTimeMs()));
        timer = home.timers().schedule(delayMs * NS_PER_MS, this::onTime);
    }

    private void onTime() {
        timer = null;
        QueueEntry first = entries.peek();
        while (first != null && !isDelayed(first)) {
            entries.poll();
            due.accept(first);
            first = entries.peek();
        }
        arm();
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
