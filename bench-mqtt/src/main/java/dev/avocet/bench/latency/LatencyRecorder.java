package dev.avocet.bench.latency;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Where one thread records latencies, and another one takes them from. */
public final class LatencyRecorder {
    static final int DIGITS = 3;
    static final long HIGHEST_NS = TimeUnit.HOURS.toNanos(1);

    private final SingleWriterRecorder recorder = new SingleWriterRecorder(1, HIGHEST_NS, DIGITS);
    private @Nullable Histogram interval;

    /** Records one latency, called by the one thread that measures. More than an hour counts as an hour, less than nothing as nothing. */
    public void record(long latencyNs) {
        recorder.recordValue(Math.min(HIGHEST_NS, Math.max(0, latencyNs)));
    }

    /** What was recorded since the last call; valid until the next one. Called by the one thread that reports. */
    Histogram take() {
        interval = recorder.getIntervalHistogram(interval);
        return interval;
    }
}
