package dev.avocet.testkit;

import dev.avocet.core.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. Thread-safe. */
public final class ManualClock implements Clock {
    private static final long START_WALL_TIME_MS = 1_700_000_000_000L;

    private final AtomicLong elapsedNs = new AtomicLong();

    @Override
    public long nanoTime() {
        return elapsedNs.get();
    }

    @Override
    public long wallTimeMs() {
        return START_WALL_TIME_MS + elapsedNs.get() / 1_000_000;
    }

    /** Moves on. Timers fire when their owner looks at the clock again; {@link TestBroker#advance} sees to that. */
    public void advance(Duration duration) {
        elapsedNs.addAndGet(duration.toNanos());
    }
}
