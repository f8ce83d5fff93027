package dev.avocet.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.agent.ClockOffset.Exchange;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClockOffsetTest {
    @Test
    void shouldTrustTheFastestExchange() {
        ClockOffset offset = ClockOffset.of(List.of(
                new Exchange(1_000, 500_000, 9_000),
                new Exchange(10_000, 500_100, 10_200),
                new Exchange(20_000, 500_900, 24_000)));

        assertThat(offset).isEqualTo(new ClockOffset(10_100 - 500_100, 101));
        assertThat(offset.mayBeNone()).isFalse();
        assertThat(new ClockOffset(-100, 101).mayBeNone()).isTrue();
    }

    @Test
    void shouldBeAsUncertainAsTheClocksHaveMovedApart() {
        ClockOffset begin = new ClockOffset(1_000, 50);

        assertThat(begin.until(new ClockOffset(1_300, 70))).isEqualTo(new ClockOffset(1_000, 370));
        assertThat(begin.until(new ClockOffset(1_000, 10))).isEqualTo(begin);
    }
}
