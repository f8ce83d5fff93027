package dev.avocet.bench.report;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** A figure of the runs of a group: its median, with the least and the most of several. */
record Spread(double least, double median, double most) {
    static Spread of(List<RunResult> runs, ToDoubleFunction<RunResult> figure) {
        double[] values = runs.stream().mapToDouble(figure).sorted().toArray();
        return new Spread(values[0], RatioInterval.median(values), values[values.length - 1]);
    }

    String median(DoubleFunction<String> words) {
        return words.apply(median);
    }

    /** Empty where there is no spread. */
    String range(DoubleFunction<String> words) {
        return least == most ? "" : words.apply(least) + " to " + words.apply(most);
    }
}
