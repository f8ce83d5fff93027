package dev.avocet.bench.report;

import dev.avocet.bench.latency.LatencySummary;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Latencies: a row for each kind, and a column for each percentile. */
final class LatencyTable {
    private record Column(String title, ToDoubleFunction<LatencySummary> figure) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("Least", LatencySummary::minNs),
            new Column("Mean", LatencySummary::meanNs),
            new Column("p50", LatencySummary::p50Ns),
            new Column("p75", LatencySummary::p75Ns),
            new Column("p90", LatencySummary::p90Ns),
            new Column("p95", LatencySummary::p95Ns),
            new Column("p99", LatencySummary::p99Ns),
            new Column("p99.9", LatencySummary::p999Ns),
            new Column("p99.99", LatencySummary::p9999Ns),
            new Column("Longest", LatencySummary::maxNs));

    private LatencyTable() {}

    static void addTo(Markup page, List<RunGroup> groups) {
        List<String> titles = new ArrayList<>(List.of("Latency", "Samples"));
        COLUMNS.forEach(column -> titles.add(column.title));
        PageTable table = new PageTable(true, titles);
        Set<String> kinds = new LinkedHashSet<>();
        groups.forEach(group ->
                group.runs().forEach(run -> kinds.addAll(run.latencies().keySet())));
        for (String kind : kinds) {
            for (RunGroup group : groups) {
                if (group.runs().stream().anyMatch(run -> summary(run, kind).samples() > 0)) {
                    table.row(row(
                            Words.title(groups.size() == 1 ? kind : kind + ", " + group.name()), kind, group.runs()));
                }
            }
        }
        if (table.isEmpty()) {
            return;
        }
        boolean isOfSeveral = groups.stream().anyMatch(group -> group.runs().size() > 1);
        page.element("h2", isOfSeveral ? "Latency, medians of the runs" : "Latency", "class", "section-title");
        table.addTo(page, "Latency by kind and percentile");
    }

    private static List<PageTable.Cell> row(String name, String kind, List<RunResult> runs) {
        List<PageTable.Cell> cells = new ArrayList<>();
        cells.add(PageTable.cell(name));
        cells.add(PageTable.cell(Words.count((long)
                Spread.of(runs, run -> summary(run, kind).samples()).median())));
        COLUMNS.forEach(column ->
                cells.add(PageTable.cell(Spread.of(runs, run -> column.figure.applyAsDouble(summary(run, kind)))
                        .median(Words::time))));
        return cells;
    }

    private static LatencySummary summary(RunResult run, String kind) {
        return run.latencies().getOrDefault(kind, LatencySummary.NONE);
    }
}
