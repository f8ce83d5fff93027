package dev.avocet.bench.report;

import dev.avocet.bench.latency.LatencySummary;

/**
 * One interval of a run.
 *
 * @param phase what the run was doing, such as {@code warm-up} or {@code measure}
 * @param seconds since the run began, at the interval's end
 * @param underWay messages that were sent and had not arrived
 */
public record Snapshot(
        String phase,
        double seconds,
        long connections,
        double sentPerSecond,
        double receivedPerSecond,
        long underWay,
        LatencySummary latency) {}
