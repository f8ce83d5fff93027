package dev.avocet.ha;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class CatchUpPaceTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long BYTES_PER_SECOND = 1_000_000;
    private static final long PIECE = 100_000;

    private final CatchUpPace pace = new CatchUpPace(BYTES_PER_SECOND);

    @Test
    void shouldLetNoMoreGoInASecondThanItMay() {
        // given
        long nowNs = 17;
        long bytes = 0;

        // when each piece goes when it is due
        while (nowNs < 17 + 10 * SECOND_NS) {
            nowNs = Math.max(nowNs, pace.dueNs(PIECE, nowNs));
            bytes += PIECE;
        }

        // then
        assertThat(bytes).isBetween(10 * BYTES_PER_SECOND, 10 * BYTES_PER_SECOND + 2 * PIECE);
    }

    @Test
    void shouldMakeGoodForALittleTimeThatWasLostAndNotForMuch() {
        // given
        long unused = pace.dueNs(PIECE, 0);

        // then
        assertThat(pace.dueNs(PIECE, SECOND_NS / 10))
                .as("80 ms are due, and a little late")
                .isLessThan(SECOND_NS / 10);
        assertThat(pace.dueNs(PIECE, 100 * SECOND_NS)).isLessThan(100 * SECOND_NS);
        assertThat(pace.dueNs(PIECE, 100 * SECOND_NS)).isGreaterThan(100 * SECOND_NS);
    }
}
