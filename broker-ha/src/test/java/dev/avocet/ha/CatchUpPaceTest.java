package dev.avocet.ha;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class CatchUpPaceTest {
    private static final long BEGIN_NS = 17;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long BYTES_PER_SECOND = 1_000_000;
    private static final long PIECE = 100_000;

    private final CatchUpPace pace = new CatchUpPace(BEGIN_NS);
    private long nowNs = BEGIN_NS;

    @Test
    void shouldLetNoMoreGoInASecondThanItMay() {
        assertThat(bytesIn(10 * SECOND_NS, BYTES_PER_SECOND))
                .isBetween(10 * BYTES_PER_SECOND, 10 * BYTES_PER_SECOND + 2 * PIECE);
    }

    @Test
    void shouldMakeGoodForALittleTimeThatWasLostAndNotForMuch() {
        // given
        pace.goes(PIECE);

        // when
        nowNs += 100 * SECOND_NS;

        // then a few go at once, and no more
        assertThat(bytesIn(SECOND_NS, BYTES_PER_SECOND))
                .isBetween(BYTES_PER_SECOND, BYTES_PER_SECOND + BYTES_PER_SECOND / 50 + 2 * PIECE);
    }

    @Test
    void shouldGoByAnotherRateAtOnce() {
        // given what is due in a hundred seconds
        pace.goes(100 * BYTES_PER_SECOND);
        assertThat(pace.leftNs(BYTES_PER_SECOND, nowNs)).isEqualTo(100 * SECOND_NS);

        // then a hundred times as much in a second makes it a hundredth of that
        assertThat(pace.leftNs(100 * BYTES_PER_SECOND, nowNs)).isEqualTo(SECOND_NS);
        nowNs += SECOND_NS;
        assertThat(bytesIn(10 * SECOND_NS, 100 * BYTES_PER_SECOND))
                .isBetween(1_000 * BYTES_PER_SECOND, 1_000 * BYTES_PER_SECOND + 2 * PIECE);

        // and what is slower again counts from now on
        assertThat(bytesIn(10 * SECOND_NS, BYTES_PER_SECOND))
                .isBetween(10 * BYTES_PER_SECOND - PIECE, 10 * BYTES_PER_SECOND + 2 * PIECE);
    }

    /** When each piece goes as soon as it may. */
    private long bytesIn(long forNs, long bytesPerSecond) {
        long endNs = nowNs + forNs;
        long bytes = 0;
        while (nowNs < endNs) {
            nowNs += pace.leftNs(bytesPerSecond, nowNs);
            pace.goes(PIECE);
            bytes += PIECE;
        }
        return bytes;
    }
}
