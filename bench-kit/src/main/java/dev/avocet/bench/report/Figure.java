package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import dev.avocet.bench.latency.LatencySummary;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The same figure of several runs.
 *
 * @param kind of the latency that it is of; empty for others
 */
public record Figure(String name, String kind, List<Double> values) {
    private static final String LATENCY = " latency, ";
    private static final double US_NS = 1e3;

    /** Which of two is the better one. */
    enum Better {
        HIGHER,
        LOWER,
        NEITHER
    }

    /** All that are worth a comparison. */
    public static List<Figure> of(List<RunResult> results) {
        List<Figure> figures = new ArrayList<>();
        add(figures, "sent per second", results, RunResult::sentPerSecond);
        add(figures, "received per second", results, RunResult::receivedPerSecond);
        add(figures, "connections", results, RunResult::connections);
        add(figures, "connections per second", results, RunResult::connectionsPerSecond);
        add(figures, "lost", results, result -> result.tally().lost());
        add(figures, "doubled", results, result -> result.tally().duplicates());
        add(figures, "out of order", results, result -> result.tally().outOfOrder());
        add(figures, "corrupt", results, result -> result.tally().corrupt());
        Set<String> kinds = new LinkedHashSet<>();
        results.forEach(result -> kinds.addAll(result.latencies().keySet()));
        for (String kind : kinds) {
            addLatency(figures, kind, "mean", results, LatencySummary::meanNs);
            addLatency(figures, kind, "p50", results, LatencySummary::p50Ns);
            addLatency(figures, kind, "p95", results, LatencySummary::p95Ns);
            addLatency(figures, kind, "p99", results, LatencySummary::p99Ns);
            addLatency(figures, kind, "p99.9", results, LatencySummary::p999Ns);
            addLatency(figures, kind, "max", results, LatencySummary::maxNs);
        }
        add(
                figures,
                "processors used by the harness",
                results,
                result -> result.harness().processors());
        return figures;
    }

    Figure(String name, List<Double> values) {
        this(name, "", values);
    }

    Better better() {
        if (name.endsWith("per second")) {
            return Better.HIGHER;
        }
        return name.contains("latency") ? Better.LOWER : Better.NEITHER;
    }

    /** With as many digits as mean something. */
    public static String text(double value) {
        return String.format(ROOT, Math.abs(value) < 100 && value != Math.rint(value) ? "%.2f" : "%.0f", value);
    }

    private static void addLatency(
            List<Figure> figures,
            String kind,
            String name,
            List<RunResult> results,
            ToDoubleFunction<LatencySummary> figure) {
        figures.add(new Figure(
                kind + LATENCY + name + " (us)",
                kind,
                results.stream()
                        .map(result -> figure.applyAsDouble(result.latencies().getOrDefault(kind, LatencySummary.NONE))
                                / US_NS)
                        .toList()));
    }

    private static void add(
            List<Figure> figures, String name, List<RunResult> results, ToDoubleFunction<RunResult> figure) {
        figures.add(new Figure(name, results.stream().map(figure::applyAsDouble).toList()));
    }
}
