package dev.avocet.core.time;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets one line into the log a minute and counts those that went unsaid, so that clients cannot fill a disk.
 * Thread-safe.
 */
public final class LogPace {
    /** What {@link #turn} answers when nothing may be said. */
    public static final long NOT_NOW = -1;

    private static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final Clock clock;
    private final AtomicLong lastNs;
    private final AtomicLong unsaid = new AtomicLong();

    public LogPace(Clock clock) {
        this.clock = clock;
        this.lastNs = new AtomicLong(clock.nanoTime() - INTERVAL_NS);
    }

    /** Whether the last line is a minute ago, and none went unsaid since. */
    boolean isIdle() {
        return unsaid.get() == 0 && clock.nanoTime() - lastNs.get() >= INTERVAL_NS;
    }

    /** How many lines went unsaid since the last one, if this one may be said; otherwise {@link #NOT_NOW}. */
    public long turn() {
        long nowNs = clock.nanoTime();
        long last = lastNs.get();
        if (nowNs - last < INTERVAL_NS || !lastNs.compareAndSet(last, nowNs)) {
            unsaid.incrementAndGet();
            return NOT_NOW;
        }
        return unsaid.getAndSet(0);
    }
}
