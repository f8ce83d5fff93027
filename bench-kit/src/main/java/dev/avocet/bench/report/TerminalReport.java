package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A run on a terminal: a line per interval, a table at its end. */
public final class TerminalReport {
    private final PrintWriter out;

    public TerminalReport(PrintWriter out) {
        this.out = out;
    }

    public void snapshot(Snapshot s) {
        out.printf(
                ROOT,
                "%7.1f s  %-8s %8d conn %10.0f sent/s %10.0f rcvd/s %9d under way   p50 %s  p99 %s  max %s%n",
                s.seconds(),
                s.phase(),
                s.connections(),
                s.sentPerSecond(),
                s.receivedPerSecond(),
                s.underWay(),
                time(s.latency().p50Ns()),
                time(s.latency().p99Ns()),
                time(s.latency().maxNs()));
        out.flush();
    }

    public void result(RunResult result) {
        out.println();
        out.println(result.verdict().outcome() + "  " + result.name());
        result.verdict().reasons().forEach(reason -> out.println("  - " + reason));
        out.println();
        rates(result);
        tally(result.tally());
        result.counts().forEach(this::counts);
        out.println();
        latencies(result.latencies());
        parts(result.parts());
        out.printf(
                ROOT,
                "%nharness   %.2f processors, busiest thread %.0f %%, own pauses %s in all, longest %s%n",
                result.harness().processors(),
                result.harness().busiestThreadShare() * 100,
                time(result.harness().totalPauseNs()).strip(),
                time(result.harness().longestPauseNs()).strip());
        out.flush();
    }

    /**
     * Makes a number of runs and shows each, and for several also the medians with their spread.
     *
     * @param name of the group that they make
     * @param isOver whether no more are wanted; the first is made in any case
     */
    public RunGroup repeated(String name, int times, Supplier<RunResult> run, BooleanSupplier isOver) {
        if (times < 1) {
            throw new IllegalArgumentException(String.format(ROOT, "repeat is %d: 1 or more", times));
        }
        List<RunResult> runs = new ArrayList<>();
        for (int i = 0; i < times && !(i > 0 && isOver.getAsBoolean()); i++) {
            runs.add(run.get());
            result(runs.get(i));
        }
        RunGroup group = new RunGroup(name, runs);
        if (runs.size() > 1) {
            out.println();
            new Comparison(List.of(group)).print(out);
        }
        return group;
    }

    private void rates(RunResult result) {
        out.printf(
                ROOT,
                "rate      %s sent/s, %s received/s in %.1f s%s%n",
                Figure.text(result.sentPerSecond()),
                Figure.text(result.receivedPerSecond()),
                result.measuredSeconds(),
                result.intendedPerSecond() > 0 ? "; " + Figure.text(result.intendedPerSecond()) + "/s intended" : "");
        out.printf(
                ROOT,
                "clients   %d connected, %.0f connections/s%n",
                result.connections(),
                result.connectionsPerSecond());
    }

    private void tally(Tally tally) {
        out.printf(
                ROOT,
                "messages  %d sent, %d expected, %d received: %d lost, %d doubled, %d out of order, %d corrupt%n",
                tally.sent(),
                tally.expected(),
                tally.received(),
                tally.lost(),
                tally.duplicates(),
                tally.outOfOrder(),
                tally.corrupt());
    }

    private void counts(String about, Map<String, Long> counts) {
        StringJoiner words = new StringJoiner(", ");
        counts.forEach((what, count) -> words.add(what + " " + count));
        out.printf(ROOT, "%-9s %s%n", about, words);
    }

    /** A table of latencies by what they measure. */
    public void latencies(Map<String, LatencySummary> latencies) {
        out.printf(
                ROOT,
                "%-12s %10s %9s %9s %9s %9s %9s %9s %9s%n",
                "latency",
                "samples",
                "min",
                "mean",
                "p50",
                "p95",
                "p99",
                "p99.9",
                "max");
        latencies.forEach((kind, l) -> out.printf(
                ROOT,
                "%-12s %10d %9s %9s %9s %9s %9s %9s %9s%n",
                kind,
                l.samples(),
                time(l.minNs()),
                time(l.meanNs()),
                time(l.p50Ns()),
                time(l.p95Ns()),
                time(l.p99Ns()),
                time(l.p999Ns()),
                time(l.maxNs())));
    }

    private void parts(List<ServerShare> parts) {
        if (!parts.isEmpty()) {
            out.println();
        }
        for (ServerShare part : parts) {
            out.printf(
                    ROOT,
                    "at %s: %.0f sent/s, %.0f received/s; %d sent, %d lost, %d doubled, %d out of order, %d corrupt;"
                            + " p50 %s, p99 %s, max %s%n",
                    part.name(),
                    part.sentPerSecond(),
                    part.receivedPerSecond(),
                    part.tally().sent(),
                    part.tally().lost(),
                    part.tally().duplicates(),
                    part.tally().outOfOrder(),
                    part.tally().corrupt(),
                    time(part.latency().p50Ns()),
                    time(part.latency().p99Ns()),
                    time(part.latency().maxNs()));
        }
    }

    /** In the unit that leaves up to four digits before the point. */
    static String time(long ns) {
        if (ns < 10_000_000) {
            return String.format(ROOT, "%.0f us", ns / 1e3);
        }
        return ns < 10_000_000_000L
                ? String.format(ROOT, "%.1f ms", ns / 1e6)
                : String.format(ROOT, "%.1f s", ns / 1e9);
    }
}
