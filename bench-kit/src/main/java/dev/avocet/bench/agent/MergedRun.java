package dev.avocet.bench.agent;

import static java.util.Locale.ROOT;

import dev.avocet.bench.agent.Message.Done;
import dev.avocet.bench.agent.Message.Figures;
import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.latency.MergedLatency;
import dev.avocet.bench.latency.Percentile;
import dev.avocet.bench.part.Part.Connections;
import dev.avocet.bench.part.Work.Outline;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.Check;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.Inspection.Findings;
import dev.avocet.bench.run.Observation;
import dev.avocet.bench.run.Pause;
import dev.avocet.bench.run.RateChanges;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What all agents saw, as one run. Owned by the controller's thread. */
final class MergedRun {
    private static final String CONNECT = "connect";
    /** Everybody takes part in the same ones. */
    private static final String WAVES = "waves";

    private static final String LEAST = "least";
    private static final String MOST = "most";

    private static final Set<String> OF_MESSAGES = Set.of("message", "round trip", "acknowledge", "send", "commit");

    private final String tool;
    private final Outline outline;
    private final String started;
    private final Map<String, String> settings;
    private final Map<String, String> environment;
    private final Map<String, MergedLatency> latencies = new LinkedHashMap<>();
    private final Map<Moment, List<Figures>> open = new LinkedHashMap<>();
    private final RateChanges rates = new RateChanges();
    private Findings found = new Findings(Map.of(), List.of());
    private String firstTrouble = "";
    private boolean isUnpaced;
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<String> losses = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private List<RemoteAgent> agents = List.of();
    private Consumer<Snapshot> onSnapshot = snapshot -> {};
    private boolean isEndedByCount;

    private record Moment(Phase phase, int number) {}

    /** @param started time of day */
    MergedRun(Assignment assignment, String started) {
        tool = assignment.tool();
        outline = assignment.outline();
        this.started = started;
        settings = new LinkedHashMap<>(assignment.settings());
        environment = new LinkedHashMap<>(assignment.environment());
        rates.add(outline.schedule(), 0);
        isUnpaced = outline.schedule().isUnpaced();
    }

    void watch(List<RemoteAgent> all, Consumer<Snapshot> listener) {
        agents = all;
        onSnapshot = listener;
    }

    /** The run is not what it was to be, by the harness's own fault. */
    void lost(String why) {
        losses.add(why);
    }

    void fail(String why) {
        failures.add(why);
    }

    void isEndedByCount(boolean isEnded) {
        isEndedByCount = isEnded;
    }

    void found(Findings findings) {
        found = findings;
    }

    /** @param sinceNs from the start on */
    void changeRate(RateSchedule schedule, long sinceNs) {
        rates.add(schedule, sinceNs);
        isUnpaced = false;
    }

    Map<String, LatencySummary> summaries() {
        Map<String, LatencySummary> summaries = new LinkedHashMap<>();
        latencies.forEach((kind, latency) -> summaries.put(kind, latency.summary()));
        summaries.values().removeIf(latency -> latency.samples() == 0);
        return summaries;
    }

    void forgetLatencies() {
        latencies.replaceAll((kind, latency) -> new MergedLatency());
    }

    /** With the name of whose it is; empty when there was none. */
    String firstTrouble() {
        return firstTrouble;
    }

    // --- intervals

    void add(RemoteAgent from, Figures figures) {
        figures.latencies().forEach((kind, encoded) -> {
            MergedLatency latency = latencies.computeIfAbsent(kind, k -> new MergedLatency());
            // What happens to messages while it warms up is not measured.
            if (figures.phase() != Phase.WARM_UP || !OF_MESSAGES.contains(kind)) {
                latency.add(encoded);
            }
        });
        if (firstTrouble.isEmpty() && !figures.firstTrouble().isEmpty()) {
            firstTrouble = "agent " + from.name() + ": " + figures.firstTrouble();
        }
        Moment moment = new Moment(figures.phase(), figures.number());
        List<Figures> together = open.computeIfAbsent(moment, m -> new ArrayList<>());
        together.add(figures);
        if (together.size() == agents.size()) {
            open.remove(moment);
            if (together.stream().noneMatch(Figures::isCut)) {
                Snapshot snapshot = snapshot(together);
                snapshots.add(snapshot);
                onSnapshot.accept(snapshot);
            }
        }
    }

    private static Snapshot snapshot(List<Figures> together) {
        Figures first = together.get(0);
        Tally tally = together.stream().map(Figures::tally).reduce(Tally.NONE, Tally::plus);
        MergedLatency latency = new MergedLatency();
        for (Figures figures : together) {
            figures.latencies().values().stream().findFirst().ifPresent(latency::add);
        }
        return new Snapshot(
                first.phase().text(),
                together.stream().mapToDouble(Figures::seconds).max().orElse(0),
                together.stream().mapToLong(Figures::connections).sum(),
                together.stream().mapToDouble(Figures::sentPerSecond).sum(),
                together.stream().mapToDouble(Figures::receivedPerSecond).sum(),
                Math.max(0, PartLeader.underWay(tally)),
                latency.summary());
    }

    // --- the result

    RunResult result(boolean isStopped) {
        describeAgents();
        Tally tally =
                withDoublesBetweenAgents(agents.stream().map(RemoteAgent::tally).reduce(Tally.NONE, Tally::plus));
        Connections connections = done().map(Done::connections).reduce(Connections.NONE, Connections::plus);
        double seconds = done().mapToDouble(Done::measuredSeconds).max().orElse(0);
        double intended = intendedPerSecond(seconds);
        Observation seen = new Observation(
                outline.wantsMessages(),
                isEndedByCount,
                seconds,
                intended,
                sum(Done::sentPerSecond),
                sum(Done::receivedPerSecond),
                tally,
                latencies.isEmpty() ? LatencySummary.NONE : first().summary(),
                done().mapToLong(Done::backlogGrowth).sum(),
                isStopped ? 0 : connections.refused(),
                connections.lost(),
                connections.firstTrouble(),
                load());
        return new RunResult(
                tool,
                outline.name(),
                started,
                verdict(seen),
                settings,
                seconds,
                intended,
                seen.sentPerSecond(),
                sum(Done::receivedPerSecond),
                connections.open() / Math.max(1e-9, openSeconds()),
                connections.open(),
                tally,
                summaries(),
                latencies.isEmpty() ? List.<Percentile>of() : curve(),
                List.copyOf(snapshots),
                seen.harness(),
                environment,
                counts(),
                List.of());
    }

    /** Those who share a subscription and are on different machines do not see what came to both, but the sum does. */
    private static Tally withDoublesBetweenAgents(Tally tally) {
        long tooMany = Math.max(0, -PartLeader.underWay(tally));
        return new Tally(
                tally.sent(),
                tally.expected(),
                tally.received(),
                tally.duplicates() + tooMany,
                tally.outOfOrder(),
                tally.corrupt());
    }

    private Verdict verdict(Observation seen) {
        List<Check> checks = outline.criteria().checks(seen);
        List<String> reasons = new ArrayList<>(losses);
        if (!losses.isEmpty()) {
            reasons.add("what is shown is what the others saw and what was known of it");
            return new Verdict(Verdict.Outcome.INVALID, reasons, checks);
        }
        Verdict verdict = judge(seen);
        reasons.addAll(failures);
        reasons.addAll(failuresOfAgents());
        reasons.addAll(found.faults());
        boolean isFailed = !reasons.isEmpty();
        reasons.addAll(withNames(verdict.reasons(), seen.harness()));
        return new Verdict(isFailed ? Verdict.Outcome.FAILED : verdict.outcome(), reasons, checks);
    }

    /** The harness was too slow where one of the agents was. */
    private List<String> withNames(List<String> reasons, HarnessLoad all) {
        if (agents.size() == 1) {
            return reasons;
        }
        List<String> named = new ArrayList<>();
        for (RemoteAgent agent : agents) {
            Done done = agent.done();
            if (done != null) {
                outline.criteria()
                        .ownFaults(done.load())
                        .forEach(fault -> named.add("agent " + agent.name() + ", " + fault));
            }
        }
        List<String> unnamed = outline.criteria().ownFaults(all);
        reasons.stream().filter(reason -> !unnamed.contains(reason)).forEach(named::add);
        return named;
    }

    /** With the names of those who have one, unless all have. */
    private List<String> failuresOfAgents() {
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (RemoteAgent agent : agents) {
            Done done = agent.done();
            if (done != null) {
                done.failures().stream()
                        .distinct()
                        .forEach(failure -> names.computeIfAbsent(failure, key -> new ArrayList<>())
                                .add(agent.name()));
            }
        }
        return names.entrySet().stream()
                .map(failure -> failure.getValue().size() == agents.size()
                        ? failure.getKey()
                        : "agent " + String.join(" and ", failure.getValue()) + ": " + failure.getKey())
                .toList();
    }

    /**
     * A limit of latency is broken when it is, however wrong the clocks are, and kept when it is, however wrong they
     * are.
     */
    private Verdict judge(Observation seen) {
        long wrongNs = uncertaintyNs();
        long meanNs = outline.criteria().maxMeanNs();
        long p99Ns = outline.criteria().maxP99Ns();
        Verdict kindly = outline.criteria()
                .withLatency(meanNs == 0 ? 0 : meanNs + wrongNs, p99Ns == 0 ? 0 : p99Ns + wrongNs)
                .judge(seen);
        boolean isDoubtful = (meanNs > 0 && seen.latency().meanNs() + wrongNs > meanNs)
                || (p99Ns > 0 && seen.latency().p99Ns() + wrongNs > p99Ns);
        if (wrongNs == 0 || !kindly.isPassed() || !isDoubtful) {
            return kindly;
        }
        return new Verdict(
                Verdict.Outcome.INVALID,
                List.of(String.format(
                        ROOT,
                        "the latency is within %.3f ms of its limit, and the agents' clocks may differ by as much",
                        wrongNs / 1e6)));
    }

    /** Of the two agents whose clocks are known least; a message may go from one to the other. */
    private long uncertaintyNs() {
        return agents.stream()
                .map(agent -> agent.offset().uncertaintyNs())
                .sorted((one, other) -> Long.compare(other, one))
                .limit(2)
                .mapToLong(Long::longValue)
                .sum();
    }

    private void describeAgents() {
        for (RemoteAgent agent : agents) {
            ClockOffset offset = agent.offset();
            String clock = offset.equals(ClockOffset.SAME)
                    ? "the controller's"
                    : String.format(
                            ROOT,
                            "%+.3f ms from the controller's, within %.3f ms",
                            -offset.aheadNs() / 1e6,
                            offset.uncertaintyNs() / 1e6);
            settings.put("agent " + agent.name() + ", clock", clock);
            agent.about()
                    .environment()
                    .forEach((fact, value) -> environment.put("agent " + agent.name() + ", " + fact, value));
        }
        settings.put(
                "latency between agents",
                uncertaintyNs() == 0
                        ? "by one clock"
                        : String.format(ROOT, "corrected, within %.3f ms", uncertaintyNs() / 1e6));
    }

    private Stream<Done> done() {
        return agents.stream().map(RemoteAgent::done).filter(MergedRun::isThere);
    }

    private static boolean isThere(@Nullable Done done) {
        return done != null;
    }

    private double sum(ToDoubleFunction<Done> figure) {
        return done().mapToDouble(figure).sum();
    }

    private double intendedPerSecond(double seconds) {
        return isUnpaced || isEndedByCount || seconds == 0 || !outline.wantsMessages()
                ? 0
                : rates.messagesBetween(outline.warmUpNs(), outline.warmUpNs() + (long) (seconds * 1e9)) / seconds;
    }

    private double openSeconds() {
        return agents.stream()
                .map(RemoteAgent::opened)
                .mapToDouble(opened -> opened == null ? 0 : opened.seconds())
                .max()
                .orElse(0);
    }

    /** Of machines together; agents of one process show the same load. */
    private HarnessLoad load() {
        Map<String, HarnessLoad> byProcess = new LinkedHashMap<>();
        for (RemoteAgent agent : agents) {
            Done done = agent.done();
            if (done != null) {
                byProcess.merge(agent.about().process(), named(agent, done.load()), MergedRun::larger);
            }
        }
        HarnessLoad sum = HarnessLoad.NONE;
        for (HarnessLoad load : byProcess.values()) {
            sum = new HarnessLoad(
                    Math.max(sum.busiestThreadShare(), load.busiestThreadShare()),
                    sum.processors() + load.processors(),
                    Math.max(sum.longestPauseNs(), load.longestPauseNs()),
                    sum.totalPauseNs() + load.totalPauseNs(),
                    inOrder(sum.pauses(), load.pauses()));
        }
        return sum;
    }

    private HarnessLoad named(RemoteAgent agent, HarnessLoad load) {
        return new HarnessLoad(
                load.busiestThreadShare(),
                load.processors(),
                load.longestPauseNs(),
                load.totalPauseNs(),
                agents.size() == 1
                        ? load.pauses()
                        : load.pauses().stream()
                                .map(pause -> pause.of(agent.name()))
                                .toList());
    }

    private static List<Pause> inOrder(List<Pause> some, List<Pause> others) {
        return Stream.concat(some.stream(), others.stream())
                .sorted(Comparator.comparingDouble(Pause::seconds))
                .toList();
    }

    private static HarnessLoad larger(HarnessLoad one, HarnessLoad other) {
        return new HarnessLoad(
                Math.max(one.busiestThreadShare(), other.busiestThreadShare()),
                Math.max(one.processors(), other.processors()),
                Math.max(one.longestPauseNs(), other.longestPauseNs()),
                Math.max(one.totalPauseNs(), other.totalPauseNs()),
                one.pauses());
    }

    private Map<String, Map<String, Long>> counts() {
        Map<String, Map<String, Long>> sums = new LinkedHashMap<>();
        done().flatMap(done -> done.counts().stream())
                .forEach(counts -> counts.forEach((about, figures) -> {
                    Map<String, Long> sum = sums.computeIfAbsent(about, key -> new LinkedHashMap<>());
                    figures.forEach((what, count) -> sum.merge(what, count, merging(what)));
                }));
        sums.putAll(found.counts());
        return sums;
    }

    private static BinaryOperator<Long> merging(String what) {
        if (what.startsWith(LEAST)) {
            return Math::min;
        }
        return what.equals(WAVES) || what.startsWith(MOST) ? Math::max : Long::sum;
    }

    private MergedLatency first() {
        return latencies.values().iterator().next();
    }

    private List<Percentile> curve() {
        MergedLatency connect = latencies.get(CONNECT);
        return outline.wantsMessages() || connect == null ? first().percentiles() : connect.percentiles();
    }
}
