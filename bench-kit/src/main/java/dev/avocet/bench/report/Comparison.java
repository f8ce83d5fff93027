package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Groups of runs beside each other. Each is judged against the first: better or worse when the ratio of the medians
 * differs from 1 with 95 % confidence, for which each needs three runs.
 */
public final class Comparison {
    private static final int NAME_WIDTH = 34;

    private final List<RunGroup> groups;

    /** @param groups the first is what others are compared with */
    public Comparison(List<RunGroup> groups) {
        this.groups = List.copyOf(groups);
    }

    /** A figure of all groups, as texts. */
    record Row(String name, List<String> cells) {}

    /** What stands above the cells of a row. */
    List<String> header() {
        List<String> header = new ArrayList<>();
        for (RunGroup group : groups) {
            boolean isFirst = header.isEmpty();
            header.add(
                    group.runs().size() == 1
                            ? group.name()
                            : String.format(
                                    ROOT,
                                    "%s, median of %d",
                                    group.name(),
                                    group.runs().size()));
            if (!isFirst) {
                header.add(group.name() + " / " + groups.get(0).name());
            }
        }
        return header;
    }

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        List<Figure> first = groups.get(0).figures();
        for (int i = 0; i < first.size(); i++) {
            Figure base = first.get(i);
            List<String> cells = new ArrayList<>(List.of(RunGroup.text(base)));
            for (RunGroup group : groups.subList(1, groups.size())) {
                Figure other = named(group, base.name());
                cells.add(other == null ? "" : RunGroup.text(other));
                cells.add(other == null ? "" : ratio(base, other));
            }
            rows.add(new Row(base.name(), cells));
        }
        return rows;
    }

    private static @Nullable Figure named(RunGroup group, String name) {
        return group.figures().stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static String ratio(Figure base, Figure other) {
        RatioInterval interval = RatioInterval.of(base.values(), other.values());
        if (Double.isNaN(interval.ratio())) {
            return "";
        }
        return interval.isKnown()
                ? String.format(
                        ROOT,
                        "%.2f (%.2f to %.2f)%s",
                        interval.ratio(),
                        interval.least(),
                        interval.most(),
                        judged(base.better(), interval))
                : String.format(ROOT, "%.2f", interval.ratio());
    }

    private static String judged(Figure.Better better, RatioInterval interval) {
        boolean isHigher = interval.least() > 1;
        boolean isLower = interval.most() < 1;
        if (better == Figure.Better.NEITHER) {
            return "";
        }
        if (!isHigher && !isLower) {
            return " same";
        }
        return isHigher == (better == Figure.Better.HIGHER) ? " better" : " worse";
    }

    /** As a table for a terminal. */
    public void print(PrintWriter out) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(header());
        List<String> outcomes = new ArrayList<>();
        groups.forEach(group -> {
            boolean isFirst = outcomes.isEmpty();
            outcomes.add(group.outcome().toString());
            if (!isFirst) {
                outcomes.add("");
            }
        });
        lines.add(outcomes);
        rows().forEach(row -> lines.add(row.cells()));
        List<String> names = new ArrayList<>(List.of("", "verdict"));
        rows().forEach(row -> names.add(row.name()));
        for (int i = 0; i < lines.size(); i++) {
            print(out, lines, names.get(i), lines.get(i));
        }
        if (groups.size() > 1 && groups.stream().anyMatch(group -> group.runs().size() < RatioInterval.LEAST_RUNS)) {
            out.printf(ROOT, "%nnothing is judged: that takes %d runs of each%n", RatioInterval.LEAST_RUNS);
        }
        out.flush();
    }

    private static void print(PrintWriter out, List<List<String>> lines, String name, List<String> cells) {
        StringBuilder line = new StringBuilder(String.format(ROOT, "%-" + NAME_WIDTH + "s", name));
        for (int i = 0; i < cells.size(); i++) {
            int column = i;
            int width = lines.stream()
                    .mapToInt(each -> each.get(column).length())
                    .max()
                    .orElse(0);
            line.append("  ").append(" ".repeat(width - cells.get(i).length())).append(cells.get(i));
        }
        out.println(line.toString().stripTrailing());
    }
}
