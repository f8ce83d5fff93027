package dev.avocet.ha;

import java.util.concurrent.TimeUnit;

/** When the next bytes are due, if no more than so many may go in a second. One owner. */
final class CatchUpPace {
    /** What was not sent in time is made good for, up to so much of it. */
    private static final long GOODWILL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final long bytesPerSecond;
    private long nextNs;
    private boolean begun;

    CatchUpPace(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Returns when so many bytes may go, which counts as done. */
    long dueNs(long bytes, long nowNs) {
        long dueNs = begun && nextNs - nowNs > -GOODWILL_NS ? nextNs : nowNs - GOODWILL_NS;
        begun = true;
        nextNs = dueNs + bytes * SECOND_NS / bytesPerSecond;
        return dueNs;
    }
}
