package dev.avocet.server.monitor.table;

import dev.avocet.core.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Points in time as people and programs read them. */
public final class Times {
    private Times() {}

    /** The moment at which the clock's {@code nanoTime} was that, in milliseconds since 1970. */
    public static long wallMs(Clock clock, long atNs) {
        return clock.wallTimeMs() - TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - atNs);
    }

    /** As in ISO 8601, in UTC; empty for 0. */
    public static String text(long wallMs) {
        return wallMs == 0 ? "" : Instant.ofEpochMilli(wallMs).toString();
    }
}
