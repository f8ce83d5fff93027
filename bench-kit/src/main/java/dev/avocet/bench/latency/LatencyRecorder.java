package dev.avocet.bench.latency;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Where one thread records latencies, and another one takes them from.
 *
 * <p>The one that measures only counts up, in the buckets that a histogram of three digits has; the one that reports
 * finds out what has been added. So a latency costs an addition, and neither ever waits for the other.
 */
public final class LatencyRecorder {
    static final int DIGITS = 3;
    static final long HIGHEST_NS = TimeUnit.HOURS.toNanos(1);

    /** Below twice as many each value has a bucket of its own, and each doubling beyond has so many. */
    private static final int HALF_BITS = 10;

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] counts = new long[bucket(HIGHEST_NS) + 1];
    private final long[] taken = new long[counts.length];
    private final Histogram interval = new Histogram(1, HIGHEST_NS, DIGITS);

    /**
     * Records one latency, called by the one thread that measures. More than an hour counts as an hour, less than
     * nothing as nothing.
     */
    public void record(long latencyNs) {
        int bucket = bucket(Math.min(HIGHEST_NS, Math.max(0, latencyNs)));
        COUNTS.setRelease(counts, bucket, counts[bucket] + 1);
    }

    /** What was recorded since the last call; valid until the next one. Called by the one thread that reports. */
    Histogram take() {
        interval.reset();
        for (int bucket = 0; bucket < counts.length; bucket++) {
            long count = (long) COUNTS.getAcquire(counts, bucket);
            if (count != taken[bucket]) {
                interval.recordValueWithCount(lowest(bucket), count - taken[bucket]);
                taken[bucket] = count;
            }
        }
        return interval;
    }

    private static int bucket(long value) {
        int doublings = Math.max(0, Long.SIZE - 1 - HALF_BITS - Long.numberOfLeadingZeros(value));
        return (doublings << HALF_BITS) + (int) (value >>> doublings);
    }

    private static long lowest(int bucket) {
        int doublings = Math.max(0, (bucket >>> HALF_BITS) - 1);
        return (long) (bucket - (doublings << HALF_BITS)) << doublings;
    }
}
