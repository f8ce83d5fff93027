package dev.avocet.bench.latency;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The latencies of all threads, in intervals and as a whole. Owned by the thread that reports. */
public final class LatencyHistory {
    private final List<LatencyRecorder> recorders;
    private final Histogram interval = new Histogram(1, LatencyRecorder.HIGHEST_NS, LatencyRecorder.DIGITS);
    private final Histogram total = new Histogram(1, LatencyRecorder.HIGHEST_NS, LatencyRecorder.DIGITS);

    public LatencyHistory(List<LatencyRecorder> recorders) {
        this.recorders = List.copyOf(recorders);
    }

    /** Ends an interval. @return what was recorded in it */
    public LatencySummary endInterval() {
        interval.reset();
        for (LatencyRecorder recorder : recorders) {
            interval.add(recorder.take());
        }
        total.add(interval);
        return LatencySummary.of(interval);
    }

    /** The interval that ended last, for {@link MergedLatency}. */
    public byte[] encodedInterval() {
        ByteBuffer buffer = ByteBuffer.allocate(interval.getNeededByteBufferCapacity());
        int size = interval.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), size);
    }

    /** Forgets everything, as after warming up. */
    public void forget() {
        recorders.forEach(LatencyRecorder::take);
        total.reset();
    }

    /** Of all intervals that have ended. */
    public LatencySummary total() {
        return LatencySummary.of(total);
    }

    /** The curve of all percentiles of the intervals that have ended, with more points towards its end. */
    public List<Percentile> percentiles() {
        return Percentile.curve(total);
    }
}
