package dev.avocet.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RateSearchTest {
    private final List<Double> tried = new ArrayList<>();

    @Test
    void shouldCloseInOnTheLimitFromBelow() {
        double found = search(1000, 70_000);

        assertThat(found).isBetween(70_000 * 0.95, 70_000.0);
        assertThat(tried).startsWith(1000.0, 2000.0, 4000.0).hasSizeLessThan(15);
    }

    @Test
    void shouldLookBelowARateThatFailsAtOnce() {
        assertThat(search(1000, 300)).isBetween(300 * 0.95, 300.0);
    }

    @Test
    void shouldEndWhereNothingPasses() {
        assertThat(search(1000, 0)).isZero();
        assertThat(tried).hasSizeLessThan(15);
    }

    private double search(double start, double limit) {
        return new RateSearch(start, 0.05).highest(rate -> {
            tried.add(rate);
            return rate <= limit;
        });
    }
}
