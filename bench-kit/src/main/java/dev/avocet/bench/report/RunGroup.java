package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import dev.avocet.bench.run.Verdict.Outcome;
import java.util.Comparator;
import java.util.List;

/**
 * Runs of the same at the same server: their medians are what it is compared by.
 *
 * @param name for tables, such as {@code A}
 * @param runs at least one
 * @param source where they were read from; empty when they were not
 */
public record RunGroup(String name, List<RunResult> runs, String source) {
    public RunGroup {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("there is no run in group " + name);
        }
    }

    public RunGroup(String name, List<RunResult> runs) {
        this(name, runs, "");
    }

    /** The worst of its runs, in the order INVALID, FAILED, PASSED. */
    public Outcome outcome() {
        return runs.stream()
                .map(run -> run.verdict().outcome())
                .max(Comparator.comparingInt(Enum::ordinal))
                .orElseThrow();
    }

    /** Its figures, each with those of all runs. */
    List<Figure> figures() {
        return Figure.of(runs);
    }

    /** The median, and from the least to the most where there are several. */
    static String text(Figure figure) {
        List<Double> sorted = figure.values().stream().sorted().toList();
        String median = Figure.text(median(figure));
        return sorted.size() == 1
                ? median
                : String.format(
                        ROOT,
                        "%s (%s to %s)",
                        median,
                        Figure.text(sorted.get(0)),
                        Figure.text(sorted.get(sorted.size() - 1)));
    }

    static double median(Figure figure) {
        return RatioInterval.median(
                figure.values().stream().mapToDouble(Double::doubleValue).toArray());
    }
}
