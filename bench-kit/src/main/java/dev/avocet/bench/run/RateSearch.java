package dev.avocet.bench.run;

import java.util.function.DoublePredicate;

/**
 * Looks for the highest rate that passes: doubles until one fails, then halves the distance between the highest that
 * passed and the lowest that failed.
 */
public final class RateSearch {
    private static final int MAX_DOUBLINGS = 30;

    private final double startPerSecond;
    private final double precision;

    /** @param precision how close the result shall be to a rate that fails, such as 0.05 for five per cent */
    public RateSearch(double startPerSecond, double precision) {
        if (!(startPerSecond > 0) || !(precision > 0)) {
            throw new IllegalArgumentException("a search wants a rate and a precision above 0");
        }
        this.startPerSecond = startPerSecond;
        this.precision = precision;
    }

    /** @return the highest rate that passed; 0 when the first one failed, and none below it down to a tenth */
    public double highest(DoublePredicate passes) {
        double low = 0;
        double high = startPerSecond;
        for (int i = 0; i < MAX_DOUBLINGS && passes.test(high); i++) {
            low = high;
            high *= 2;
        }
        while (high - low > precision * high && high > startPerSecond / 10) {
            double middle = low == 0 ? high / 2 : (low + high) / 2;
            if (passes.test(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
