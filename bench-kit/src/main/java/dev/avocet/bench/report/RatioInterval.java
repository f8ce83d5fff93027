package dev.avocet.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The ratio of two medians with the interval in which it lies with 95 % confidence, by bootstrap: medians are taken
 * again and again of as many figures drawn from those that there are. The same figures give the same interval.
 *
 * @param ratio of the second median to the first
 */
record RatioInterval(double ratio, double least, double most) {
    /** Fewer runs show no spread worth the name. */
    static final int LEAST_RUNS = 3;

    private static final int DRAWS = 10_000;
    private static final long SEED = 0x5eed;

    /** @return {@code NaN} for bounds when there are too few figures, and for all when the first median is 0 */
    static RatioInterval of(List<Double> first, List<Double> second) {
        double ratio = median(array(first)) == 0 ? Double.NaN : median(array(second)) / median(array(first));
        if (Double.isNaN(ratio) || first.size() < LEAST_RUNS || second.size() < LEAST_RUNS) {
            return new RatioInterval(ratio, Double.NaN, Double.NaN);
        }
        SplittableRandom random = new SplittableRandom(SEED);
        double[] ratios = new double[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            ratios[i] = median(drawn(random, second)) / median(drawn(random, first));
        }
        Arrays.sort(ratios);
        return new RatioInterval(ratio, ratios[DRAWS * 25 / 1_000], ratios[DRAWS * 975 / 1_000]);
    }

    boolean isKnown() {
        return !Double.isNaN(least) && !Double.isNaN(most);
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double[] drawn(SplittableRandom random, List<Double> values) {
        double[] drawn = new double[values.size()];
        Arrays.setAll(drawn, i -> values.get(random.nextInt(values.size())));
        return drawn;
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
