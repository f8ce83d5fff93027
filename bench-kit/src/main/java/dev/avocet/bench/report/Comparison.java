package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Groups of runs beside each other. Each is judged against the first: better or worse when the ratio of the medians
 * differs from 1 with 95 % confidence, for which each needs three runs.
 */
public final class Comparison {
    static final String BETTER = " better";
    static final String WORSE = " worse";

    private static final String SAME = " same";
    private static final int NAME_WIDTH = 34;
    /** From here on figures of single runs are told first; less is chance more often than not. */
    private static final double LEAST_DIFFERENCE = 0.05;

    private final List<RunGroup> groups;

    /** @param groups the first is what others are compared with */
    public Comparison(List<RunGroup> groups) {
        this.groups = List.copyOf(groups);
    }

    /**
     * A figure of all groups, as texts.
     *
     * @param kind of a latency; empty for another figure
     * @param differs whether a group is not as the first: beyond the spread of their runs where that is known, else by
     *     a twentieth
     */
    record Row(String name, String kind, List<String> cells, boolean differs) {}

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

    /** Those that differ first. */
    List<Row> rows() {
        Set<String> names = new LinkedHashSet<>();
        groups.forEach(group -> group.figures().forEach(figure -> names.add(figure.name())));
        List<Row> rows = names.stream().map(this::row).toList();
        return Stream.concat(rows.stream().filter(Row::differs), rows.stream().filter(row -> !row.differs()))
                .toList();
    }

    private Row row(String name) {
        Figure base = named(groups.get(0), name);
        List<String> cells = new ArrayList<>(List.of(base == null ? "" : RunGroup.text(base)));
        boolean differs = false;
        for (RunGroup group : groups.subList(1, groups.size())) {
            Figure other = named(group, name);
            cells.add(other == null ? "" : RunGroup.text(other));
            cells.add(base == null || other == null ? "" : ratio(base, other));
            differs |= base == null || other == null ? !Objects.equals(base, other) : differs(base, other);
        }
        String kind = groups.stream()
                .map(group -> named(group, name))
                .filter(Objects::nonNull)
                .map(Figure::kind)
                .findFirst()
                .orElse("");
        return new Row(name, kind, cells, differs);
    }

    private static boolean differs(Figure base, Figure other) {
        RatioInterval interval = RatioInterval.of(base.values(), other.values());
        if (Double.isNaN(interval.ratio())) {
            return RunGroup.median(base) != RunGroup.median(other);
        }
        return interval.isKnown()
                ? interval.least() > 1 || interval.most() < 1
                : Math.abs(interval.ratio() - 1) >= LEAST_DIFFERENCE;
    }

    /** Whether there is anything to hold against the first. */
    boolean isOfSeveral() {
        return groups.size() > 1;
    }

    /** Whether some have too few runs for a judgement. */
    boolean isUnjudged() {
        return isOfSeveral() && groups.stream().anyMatch(group -> group.runs().size() < RatioInterval.LEAST_RUNS);
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
            return SAME;
        }
        return isHigher == (better == Figure.Better.HIGHER) ? BETTER : WORSE;
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
        List<Row> rows = rows();
        rows.forEach(row -> lines.add(row.cells()));
        List<String> names = new ArrayList<>(List.of("", "verdict"));
        rows.forEach(row -> names.add(row.name()));
        int alike =
                names.size() - (int) rows.stream().filter(row -> !row.differs()).count();
        for (int i = 0; i < lines.size(); i++) {
            if (i == alike && isOfSeveral()) {
                out.printf(ROOT, "%nabout the same%n");
            }
            print(out, lines, names.get(i), lines.get(i));
        }
        printDifferences(out);
        if (isUnjudged()) {
            out.printf(ROOT, "%nnothing is judged: that takes %d runs of each%n", RatioInterval.LEAST_RUNS);
        }
        out.flush();
    }

    private void printDifferences(PrintWriter out) {
        if (isOfSeveral()) {
            Differences.ofSettings(groups).forEach(difference -> print(out, "asked differently", difference));
            Differences.ofEnvironment(groups).forEach(difference -> print(out, "another environment", difference));
        }
    }

    private void print(PrintWriter out, String what, Differences difference) {
        StringJoiner values = new StringJoiner("; ");
        for (int i = 0; i < groups.size(); i++) {
            values.add(groups.get(i).name() + ": " + difference.values().get(i));
        }
        out.printf(ROOT, "%n%s: %s%n  %s%n", what, difference.name(), values);
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
