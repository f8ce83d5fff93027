package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a page of several groups opens with: what they are, and what differs; then what is about the same. */
final class ComparisonSections {
    private static final List<String> STATISTICS = List.of("mean", "p50", "p95", "p99", "p99.9", "max");

    private final List<RunGroup> groups;
    private final Comparison comparison;

    ComparisonSections(List<RunGroup> groups) {
        this.groups = List.copyOf(groups);
        this.comparison = new Comparison(groups);
    }

    void addTo(Markup page) {
        page.element("h1", "Comparison with " + groups.get(0).name(), "class", "page-title");
        groups(page);
        figures(page, "What differs", true, "No rate and no count differs by more than the runs do among themselves.");
        latencies(page);
        if (comparison.isUnjudged()) {
            page.element(
                    "p",
                    String.format(
                            ROOT,
                            "Nothing is judged: that takes %d runs of each. Figures that are a twentieth apart or more"
                                    + " are shown first.",
                            RatioInterval.LEAST_RUNS),
                    "class",
                    "note note-info");
        }
        differences(page);
        figures(page, "What is about the same", false, "");
    }

    private void groups(Markup page) {
        PageTable table =
                new PageTable(false, List.of("", "Verdict", "Workload", "Harness", "Runs", "First begun", "Results"));
        for (RunGroup group : groups) {
            RunResult first = group.runs().get(0);
            table.row(List.of(
                    PageTable.cell(group.name()),
                    new PageTable.Cell(group.outcome().toString(), VerdictSections.tone(group.outcome())),
                    PageTable.cell(Words.workload(first)),
                    PageTable.cell(first.tool()),
                    PageTable.cell(String.valueOf(group.runs().size())),
                    PageTable.cell(Words.moment(first.started())),
                    PageTable.cell(group.source())));
        }
        table.addTo(page, "What is compared");
        List<String> reasons = new ArrayList<>();
        groups.forEach(group -> group.runs().stream()
                .flatMap(run -> run.verdict().reasons().stream())
                .distinct()
                .forEach(reason -> reasons.add(group.name() + ": " + reason)));
        if (!reasons.isEmpty()) {
            page.open("ul", "class", "reasons");
            reasons.forEach(reason -> page.element("li", reason));
            page.close("ul");
        }
    }

    private void figures(Markup page, String title, boolean differing, String none) {
        List<String> titles = new ArrayList<>(List.of("Figure"));
        titles.addAll(comparison.header());
        PageTable table = new PageTable(true, titles);
        comparison.rows().stream()
                .filter(row -> row.kind().isEmpty() && row.differs() == differing)
                .forEach(row -> {
                    List<PageTable.Cell> cells = new ArrayList<>(List.of(PageTable.cell(Words.title(row.name()))));
                    row.cells().forEach(text -> cells.add(new PageTable.Cell(text, tone(text))));
                    table.row(cells);
                });
        if (table.isEmpty() && none.isEmpty()) {
            return;
        }
        page.element("h2", title, "class", "section-title");
        if (table.isEmpty()) {
            page.element("p", none, "class", "note note-good");
        } else {
            table.addTo(page, title);
        }
    }

    /** By how much, of each kind; what is about the same is grey. */
    private void latencies(Markup page) {
        Map<String, Map<String, Comparison.Row>> byKind = new LinkedHashMap<>();
        comparison.rows().stream()
                .filter(row -> !row.kind().isEmpty())
                .forEach(row -> byKind.computeIfAbsent(row.kind(), kind -> new LinkedHashMap<>())
                        .put(statistic(row), row));
        List<String> titles = new ArrayList<>(List.of("Latency"));
        titles.addAll(STATISTICS);
        PageTable table = new PageTable(true, titles);
        byKind.forEach((kind, rows) -> {
            for (int i = 1; i < groups.size(); i++) {
                List<PageTable.Cell> cells = new ArrayList<>();
                cells.add(PageTable.cell(Words.title(kind) + ", "
                        + groups.get(i).name() + " / " + groups.get(0).name()));
                for (String name : STATISTICS) {
                    Comparison.Row row = rows.get(name);
                    cells.add(row == null ? PageTable.cell("") : ratio(row, 2 * i));
                }
                table.row(cells);
            }
        });
        if (!table.isEmpty()) {
            page.element("h2", "By how much the latencies differ", "class", "section-title");
            table.addTo(page, "By how much the latencies differ");
        }
    }

    private static String statistic(Comparison.Row row) {
        String name = row.name();
        return name.substring(name.lastIndexOf(", ") + 2, name.lastIndexOf(" ("));
    }

    private static PageTable.Cell ratio(Comparison.Row row, int column) {
        String text = row.cells().get(column);
        String tone = row.differs() ? tone(text) : "state-off";
        int interval = text.indexOf(" (");
        if (interval < 0) {
            return new PageTable.Cell(text.isEmpty() ? "–" : text, tone);
        }
        int end = text.indexOf(')');
        return new PageTable.Cell(
                text.substring(0, interval) + text.substring(end + 1), tone, text.substring(interval + 2, end));
    }

    private static String tone(String cell) {
        if (cell.endsWith(Comparison.BETTER)) {
            return "state-good";
        }
        return cell.endsWith(Comparison.WORSE) ? "state-bad" : "";
    }

    private void differences(Markup page) {
        List<String> titles = new ArrayList<>(List.of("Setting"));
        groups.forEach(group -> titles.add(group.name()));
        PageTable table = new PageTable(false, titles);
        add(table, Differences.ofSettings(groups), "");
        add(table, Differences.ofEnvironment(groups), "environment: ");
        page.element("h2", "What was asked differently, or elsewhere", "class", "section-title");
        if (table.isEmpty()) {
            page.element("p", "The options and the environment are the same.", "class", "note note-good");
        } else {
            table.addTo(page, "What was asked differently, or elsewhere");
        }
    }

    private static void add(PageTable table, List<Differences> differences, String of) {
        differences.forEach(difference -> {
            List<PageTable.Cell> cells = new ArrayList<>(List.of(PageTable.cell(of + difference.name())));
            difference.values().forEach(value -> cells.add(PageTable.cell(value)));
            table.row(cells);
        });
    }
}
