package dev.avocet.bench.jms.measure;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.environment.Environment;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.latency.Percentile;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.ServerShare;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.Observation;
import dev.avocet.bench.run.PauseRecording;
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
    private final PauseRecording pauses;
    private final String started;
    private final long openNs;
    private double openSeconds;
    private long connections;
    private long refused;
    private @Nullable Sampler sampler;
    private List<Tally> atBegin = List.of();
    private List<Tally> atEnd = List.of();
    private long startNs;
    private long beginNs;
    private long endNs;
    private boolean isEndedByCount;
    private HarnessLoad load = HarnessLoad.NONE;

    RunReport(RunPlan plan, RunClock clock, PauseRecording pauses) {
        this.plan = plan;
        this.clock = clock;
        this.pauses = pauses;
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

    /** @param tallies of the brokers; none when nothing has been sent */
    void begin(List<Tally> tallies, long runStartNs, long measureNs) {
        atBegin = tallies;
        startNs = runStartNs;
        beginNs = measureNs;
    }

    /** @param isAllSent the senders have ended because each had sent its number of messages */
    void end(List<Tally> tallies, HarnessLoad harness, boolean isAllSent) {
        atEnd = tallies;
        isEndedByCount = isAllSent;
        endNs = clock.nanoTime();
        load = harness;
    }

    /** Of a run that is closed. */
    RunResult result(AllTraffic traffic, Failures failures) {
        double seconds = (endNs - beginNs) / SECOND_NS;
        HarnessLoad harness = pauses.addTo(load, startNs);
        Map<String, LatencySummary> latencies = latencies();
        Tally begin = AllTraffic.sum(atBegin);
        Tally end = AllTraffic.sum(atEnd);
        Observation seen = new Observation(
                true,
                isEndedByCount,
                seconds,
                intendedPerSecond(seconds),
                perSecond(end.sent() - begin.sent(), seconds),
                perSecond(end.received() - begin.received(), seconds),
                traffic.tally(),
                latencies.values().stream().findFirst().orElse(LatencySummary.NONE),
                end.lost() - begin.lost(),
                refused,
                traffic.connectionsLost(),
                failures.texts().stream().findFirst().orElse(""),
                harness);
        return new RunResult(
                "jmsbench",
                plan.name(),
                started,
                verdict(seen, failures),
                settings(traffic.leftOvers()),
                seconds,
                seen.intendedPerSecond(),
                seen.sentPerSecond(),
                seen.receivedPerSecond(),
                perSecond(connections, openSeconds),
                connections,
                seen.tally(),
                latencies,
                percentiles(),
                sampler == null ? List.<Snapshot>of() : sampler.snapshots(),
                harness,
                Environment.capture(Version.text(), plan.arguments()),
                traffic.counts(),
                parts(traffic.tallies(), seconds));
    }

    /** None for a single broker. */
    private List<ServerShare> parts(List<Tally> tallies, double seconds) {
        List<ServerShare> parts = new ArrayList<>();
        for (int i = 0; tallies.size() > 1 && i < tallies.size() && i < atEnd.size(); i++) {
            Tally begin = i < atBegin.size() ? atBegin.get(i) : Tally.NONE;
            parts.add(new ServerShare(
                    plan.targets().get(i),
                    tallies.get(i),
                    perSecond(atEnd.get(i).sent() - begin.sent(), seconds),
                    perSecond(atEnd.get(i).received() - begin.received(), seconds),
                    latency(i)));
        }
        return parts;
    }

    private LatencySummary latency(int broker) {
        return sampler == null
                ? LatencySummary.NONE
                : sampler.latencies().values().iterator().next().total(broker);
    }

    private Verdict verdict(Observation seen, Failures failures) {
        Verdict verdict = plan.criteria().judge(seen);
        if (failures.isEmpty()) {
            return verdict;
        }
        List<String> reasons = new ArrayList<>(failures.texts());
        reasons.addAll(verdict.reasons());
        return new Verdict(Verdict.Outcome.FAILED, reasons, verdict.checks());
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
