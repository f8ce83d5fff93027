package dev.avocet.bench.jms.measure;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.environment.Environment;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.latency.Percentile;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.Observation;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Collects what a run comes to. Owned by the thread that measures. */
final class RunReport {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final RunPlan plan;
    private final RunClock clock;
    private final String started;
    private final long openNs;
    private double openSeconds;
    private long connections;
    private long refused;
    private @Nullable Sampler sampler;
    private Tally atBegin = Tally.NONE;
    private Tally atEnd = Tally.NONE;
    private long startNs;
    private long beginNs;
    private long endNs;
    private boolean isEndedByCount;
    private HarnessLoad load = HarnessLoad.NONE;

    RunReport(RunPlan plan, RunClock clock) {
        this.plan = plan;
        this.clock = clock;
        started = clock.now().toString();
        openNs = clock.nanoTime();
    }

    void opened(long count) {
        connections = count;
        openSeconds = (clock.nanoTime() - openNs) / SECOND_NS;
    }

    void refused() {
        refused++;
    }

    void sampledBy(Sampler runSampler) {
        sampler = runSampler;
    }

    void begin(Tally tally, long runStartNs, long measureNs) {
        atBegin = tally;
        startNs = runStartNs;
        beginNs = measureNs;
    }

    /** @param isAllSent the senders have ended because each had sent its number of messages */
    void end(Tally tally, HarnessLoad harness, boolean isAllSent) {
        atEnd = tally;
        isEndedByCount = isAllSent;
        endNs = clock.nanoTime();
        load = harness;
    }

    /** Of a run that is closed. */
    RunResult result(AllTraffic traffic, Failures failures) {
        double seconds = (endNs - beginNs) / SECOND_NS;
        Map<String, LatencySummary> latencies = latencies();
        Observation seen = new Observation(
                true,
                intendedPerSecond(seconds),
                perSecond(atEnd.sent() - atBegin.sent(), seconds),
                traffic.tally(),
                latencies.values().stream().findFirst().orElse(LatencySummary.NONE),
                atEnd.lost() - atBegin.lost(),
                refused,
                traffic.connectionsLost(),
                failures.texts().stream().findFirst().orElse(""),
                load);
        return new RunResult(
                "jmsbench",
                plan.name(),
                started,
                verdict(seen, failures),
                settings(traffic.leftOvers()),
                seconds,
                seen.intendedPerSecond(),
                seen.sentPerSecond(),
                perSecond(atEnd.received() - atBegin.received(), seconds),
                perSecond(connections, openSeconds),
                connections,
                seen.tally(),
                latencies,
                percentiles(),
                sampler == null ? List.<Snapshot>of() : sampler.snapshots(),
                load,
                Environment.capture(Version.text(), plan.arguments()));
    }

    private Verdict verdict(Observation seen, Failures failures) {
        Verdict verdict = plan.criteria().judge(seen);
        if (failures.isEmpty()) {
            return verdict;
        }
        List<String> reasons = new ArrayList<>(failures.texts());
        reasons.addAll(verdict.reasons());
        return new Verdict(Verdict.Outcome.FAILED, reasons);
    }

    /** A run that ends with a number of messages is held to the number and to its latency. */
    private double intendedPerSecond(double seconds) {
        return plan.schedule().isUnpaced() || isEndedByCount || seconds == 0
                ? 0
                : plan.schedule().messagesBetween(beginNs - startNs, endNs - startNs) / seconds;
    }

    private Map<String, String> settings(long leftOvers) {
        Map<String, String> settings = new LinkedHashMap<>(plan.settings());
        if (leftOvers > 0) {
            settings.put("messages of other runs, passed over", String.valueOf(leftOvers));
        }
        return settings;
    }

    private Map<String, LatencySummary> latencies() {
        Map<String, LatencySummary> latencies = new LinkedHashMap<>();
        if (sampler != null) {
            sampler.latencies().forEach((kind, history) -> latencies.put(kind, history.total()));
        }
        return latencies;
    }

    private List<Percentile> percentiles() {
        return sampler == null
                ? List.of()
                : sampler.latencies().values().stream()
                        .findFirst()
                        .map(LatencyHistory::percentiles)
                        .orElse(List.of());
    }

    private static double perSecond(long count, double seconds) {
        return seconds > 0 ? count / seconds : 0;
    }
}
