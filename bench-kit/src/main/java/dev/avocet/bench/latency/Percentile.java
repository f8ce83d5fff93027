package dev.avocet.bench.latency;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A point of a distribution: so many per cent of the samples took that long or less. */
public record Percentile(double percent, long latencyNs) {
    static List<Percentile> curve(Histogram histogram) {
        List<Percentile> curve = new ArrayList<>();
        histogram
                .percentiles(5)
                .forEach(point ->
                        curve.add(new Percentile(point.getPercentileLevelIteratedTo(), point.getValueIteratedTo())));
        return curve;
    }
}
