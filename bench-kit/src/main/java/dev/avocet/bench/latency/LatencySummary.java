package dev.avocet.bench.latency;

import org.HdrHistogram.AbstractHistogram;

/** A distribution of latencies in a few figures, each within 0.1 %. */
public record LatencySummary(
        long samples,
        long minNs,
        long meanNs,
        long standardDeviationNs,
        long p50Ns,
        long p75Ns,
        long p90Ns,
        long p95Ns,
        long p99Ns,
        long p999Ns,
        long p9999Ns,
        long maxNs) {
    public static final LatencySummary NONE = new LatencySummary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static LatencySummary of(AbstractHistogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return NONE;
        }
        return new LatencySummary(
                histogram.getTotalCount(),
                histogram.getMinValue(),
                Math.round(histogram.getMean()),
                Math.round(histogram.getStdDeviation()),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(75),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(95),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getValueAtPercentile(99.99),
                histogram.getMaxValue());
    }
}
