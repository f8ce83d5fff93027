package dev.avocet.bench.report;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.latency.Percentile;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.Verdict;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a run when it is over. Its JSON has these names.
 *
 * @param name of the workload, or {@code options}
 * @param started time of day, ISO 8601
 * @param settings what was asked for, as names and words
 * @param measuredSeconds how long it was measured, without warm-up and draining
 * @param intendedPerSecond 0 when it was unpaced
 * @param latencies by what they measure: {@code message}, {@code connect}, {@code acknowledge}
 * @param percentiles the curve of {@code message}, or of {@code connect} where there are no messages
 * @param environment of the harness
 * @param counts by what they are about, such as {@code storms}, and what they count
 * @param parts one for each server where there are several
 */
public record RunResult(
        String tool,
        String name,
        String started,
        Verdict verdict,
        Map<String, String> settings,
        double measuredSeconds,
        double intendedPerSecond,
        double sentPerSecond,
        double receivedPerSecond,
        double connectionsPerSecond,
        long connections,
        Tally tally,
        Map<String, LatencySummary> latencies,
        List<Percentile> percentiles,
        List<Snapshot> snapshots,
        HarnessLoad harness,
        Map<String, String> environment,
        Map<String, Map<String, Long>> counts,
        @Nullable List<ServerShare> parts) {
    public RunResult {
        // Files of older harnesses have none.
        counts = counts == null ? Map.of() : counts;
        parts = parts == null ? List.of() : List.copyOf(parts);
    }
}
