package dev.avocet.bench.latency;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Latencies that several processes have recorded, as one distribution: exactly that of all samples together. Owned by
 * one thread.
 */
public final class MergedLatency {
    private final Histogram total = new Histogram(1, LatencyRecorder.HIGHEST_NS, LatencyRecorder.DIGITS);

    /**
     * @param encoded as {@link LatencyHistory#encodedInterval} has it
     * @throws IllegalArgumentException if it is no histogram
     */
    public void add(byte[] encoded) {
        try {
            total.add(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), LatencyRecorder.HIGHEST_NS));
        } catch (DataFormatException | RuntimeException broken) {
            throw new IllegalArgumentException("these bytes are no histogram of latencies", broken);
        }
    }

    public LatencySummary summary() {
        return LatencySummary.of(total);
    }

    /** The curve of all percentiles, with more points towards its end. */
    public List<Percentile> percentiles() {
        return Percentile.curve(total);
    }
}
