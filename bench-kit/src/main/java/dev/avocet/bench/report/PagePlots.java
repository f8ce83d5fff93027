package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.run.Pause;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The curves of a page, as data for the script that draws them. */
final class PagePlots {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();
    private static final MathContext DIGITS = new MathContext(5);
    private static final double MOST_NINES = 6;
    private static final double SECOND_NS = 1e9;
    private static final int MOST_PAUSES = 500;
    private static final String MEASURED = "measure";

    /** What the numbers of an axis are. */
    enum Unit {
        PERCENTILE,
        SECONDS,
        RATE,
        COUNT,
        TIME
    }

    /** A run with its place among the colours. */
    record Run(String label, int colour, RunResult result) {}

    /**
     * A curve.
     *
     * @param at the index of its positions in {@link Data#positions}
     */
    record Curve(String label, int colour, boolean dashed, int at, List<@Nullable BigDecimal> values) {}

    /** A part of the horizontal axis that something is to be said of. */
    record Band(BigDecimal from, BigDecimal to, String kind, String text) {}

    /** One plot. */
    record Plot(String title, Unit x, Unit y, List<Curve> curves, List<Band> bands) {}

    /** All that the script is told. */
    record Data(List<List<BigDecimal>> positions, List<Plot> plots) {}

    private final List<Run> runs;
    private final List<List<BigDecimal>> positions = new ArrayList<>();
    private final List<Plot> plots = new ArrayList<>();

    PagePlots(List<Run> runs) {
        this.runs = List.copyOf(runs);
        runs.forEach(run -> positions.add(run.result().snapshots().stream()
                .map(snapshot -> rounded(snapshot.seconds()))
                .toList()));
    }

    List<Plot> plots() {
        return plots;
    }

    /** In a form that an element {@code script} of HTML may hold. */
    String json() {
        try {
            return JSON.writeValueAsString(new Data(positions, plots)).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the plots cannot be written", e);
        }
    }

    /** The plots of one run. */
    PagePlots ofOne() {
        Run run = runs.get(0);
        addPercentiles();
        List<Curve> rates = new ArrayList<>();
        addCurve(rates, 0, "Sent", 0, Snapshot::sentPerSecond);
        addCurve(rates, 0, "Received", 1, Snapshot::receivedPerSecond);
        if (run.result().intendedPerSecond() > 0) {
            BigDecimal asked = rounded(run.result().intendedPerSecond());
            List<@Nullable BigDecimal> line = new ArrayList<>();
            positions.get(0).forEach(position -> line.add(asked));
            rates.add(new Curve("Asked", 2, true, 0, line));
        }
        add("Messages per second", Unit.RATE, rates, phases());
        List<Curve> latencies = new ArrayList<>();
        addCurve(latencies, 0, "p50", 0, latency(LatencySummary::p50Ns));
        addCurve(latencies, 0, "p99", 1, latency(LatencySummary::p99Ns));
        addCurve(latencies, 0, "Longest", 2, latency(LatencySummary::maxNs));
        add("Latency over time", Unit.TIME, latencies, phasesAndPauses());
        List<Curve> underWay = new ArrayList<>();
        addCurve(underWay, 0, "Under way", 0, snapshot -> (double) snapshot.underWay());
        add("Messages under way", Unit.COUNT, underWay, phases());
        return this;
    }

    /** The plots of several runs, a curve for each. */
    PagePlots ofSeveral() {
        addPercentiles();
        addForEachRun("Messages received per second", Unit.RATE, Snapshot::receivedPerSecond, phases());
        addForEachRun("Latency over time, p50", Unit.TIME, latency(LatencySummary::p50Ns), phasesAndPauses());
        addForEachRun("Latency over time, p99", Unit.TIME, latency(LatencySummary::p99Ns), phasesAndPauses());
        addForEachRun("Latency over time, longest", Unit.TIME, latency(LatencySummary::maxNs), phasesAndPauses());
        addForEachRun("Messages under way", Unit.COUNT, snapshot -> (double) snapshot.underWay(), phases());
        return this;
    }

    /** By the nines of the percentile, so that its end has room. */
    private void addPercentiles() {
        List<Curve> curves = new ArrayList<>();
        for (Run run : runs) {
            List<BigDecimal> nines = new ArrayList<>();
            List<@Nullable BigDecimal> values = new ArrayList<>();
            run.result().percentiles().forEach(point -> {
                nines.add(rounded(nines(point.percent())));
                values.add(positive(point.latencyNs()));
            });
            if (!nines.isEmpty()) {
                positions.add(nines);
                String label = runs.size() == 1 ? "Latency" : run.label();
                curves.add(new Curve(label, run.colour(), false, positions.size() - 1, values));
            }
        }
        if (!curves.isEmpty()) {
            plots.add(new Plot("Latency by percentile", Unit.PERCENTILE, Unit.TIME, curves, List.of()));
        }
    }

    private void addForEachRun(String title, Unit unit, ToDoubleFunction<Snapshot> value, List<Band> bands) {
        List<Curve> curves = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            addCurve(curves, i, runs.get(i).label(), runs.get(i).colour(), value);
        }
        add(title, unit, curves, bands);
    }

    private void add(String title, Unit unit, List<Curve> curves, List<Band> bands) {
        if (curves.stream().anyMatch(curve -> curve.values().size() > 0)) {
            plots.add(new Plot(title, Unit.SECONDS, unit, curves, bands));
        }
    }

    private void addCurve(List<Curve> curves, int run, String label, int colour, ToDoubleFunction<Snapshot> value) {
        List<@Nullable BigDecimal> values = new ArrayList<>();
        runs.get(run).result().snapshots().forEach(snapshot -> {
            double is = value.applyAsDouble(snapshot);
            values.add(Double.isNaN(is) ? null : rounded(is));
        });
        curves.add(new Curve(label, colour, false, run, values));
    }

    private static ToDoubleFunction<Snapshot> latency(ToDoubleFunction<LatencySummary> figure) {
        return snapshot -> {
            double ns = snapshot.latency().samples() == 0 ? 0 : figure.applyAsDouble(snapshot.latency());
            return ns > 0 ? ns : Double.NaN; // which no logarithm has a place for
        };
    }

    private static @Nullable BigDecimal positive(long ns) {
        return ns > 0 ? rounded((double) ns) : null;
    }

    private List<Band> phasesAndPauses() {
        List<Band> bands = new ArrayList<>(phases());
        runs.stream()
                .flatMap(run -> run.result().harness().pauses().stream())
                .sorted(Comparator.comparingLong(Pause::durationNs).reversed())
                .limit(MOST_PAUSES)
                .forEach(pause -> bands.add(new Band(
                        rounded(pause.seconds()),
                        rounded(pause.seconds() + pause.durationNs() / SECOND_NS),
                        pause.kind(),
                        text(pause))));
        return bands;
    }

    private static String text(Pause pause) {
        String agent = pause.agent();
        String where = agent == null || agent.isEmpty() ? "" : " of agent " + agent;
        return String.format(
                ROOT, "%s%s, %s: %s", pause.kind(), where, Words.time((double) pause.durationNs()), pause.cause());
    }

    /** What was not measured, where it is the same for all. */
    private List<Band> phases() {
        List<Band> bands = new ArrayList<>();
        if (runs.size() > 1) {
            return bands;
        }
        double since = 0;
        for (Snapshot snapshot : runs.get(0).result().snapshots()) {
            if (!snapshot.phase().equals(MEASURED)) {
                bands.add(new Band(
                        rounded(since), rounded(snapshot.seconds()), "phase", snapshot.phase() + ", not measured"));
            }
            since = snapshot.seconds();
        }
        return bands;
    }

    private static double nines(double percent) {
        return Math.min(MOST_NINES, -Math.log10(Math.max(1e-9, 1 - percent / 100)));
    }

    private static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros();
    }
}
