package dev.avocet.ha;

import java.util.concurrent.TimeUnit;

/** When the next bytes are due, if no more than so many may go in a second. One owner. */
final class CatchUpPace {
    /** What was not sent in time is made good for, up to so much of it. */
    private static final long GOODWILL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** What has gone and was not due yet; negative what was due and has not gone. */
    private double earlyBytes;

    private long lookedNs;

    CatchUpPace(long nowNs) {
        lookedNs = nowNs;
    }

    /**
     * Returns how long it takes until the next bytes may go; 0 when they may go now.
     *
     * @param bytesPerSecond may be another number each time
     */
    long leftNs(long bytesPerSecond, long nowNs) {
        double bytesPerNs = bytesPerSecond / SECOND_NS;
        earlyBytes = Math.max(earlyBytes - (nowNs - lookedNs) * bytesPerNs, -GOODWILL_NS * bytesPerNs);
        lookedNs = nowNs;
        return earlyBytes <= 0 ? 0 : (long) Math.ceil(earlyBytes / bytesPerNs);
    }

    /** So many bytes go now. */
    void goes(long bytes) {
        earlyBytes += bytes;
    }
}
