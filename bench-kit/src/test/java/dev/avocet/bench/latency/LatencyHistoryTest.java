package dev.avocet.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LatencyHistoryTest {
    private final LatencyRecorder first = new LatencyRecorder();
    private final LatencyRecorder second = new LatencyRecorder();
    private final LatencyHistory history = new LatencyHistory(List.of(first, second));

    @Test
    void shouldJoinThreadsAndIntervals() {
        first.record(1_000);
        second.record(3_000);
        LatencySummary interval = history.endInterval();
        first.record(100_000);
        history.endInterval();

        assertThat(interval.samples()).isEqualTo(2);
        assertThat(interval.maxNs()).isCloseTo(3_000L, within(3L));
        assertThat(history.total().samples()).isEqualTo(3);
        assertThat(history.total().p50Ns()).isCloseTo(3_000L, within(3L));
        assertThat(history.percentiles())
                .last()
                .satisfies(end -> assertThat(end.percent()).isEqualTo(100));
    }

    @Test
    void shouldForgetTheWarmUp() {
        first.record(1_000_000);
        history.endInterval();
        first.record(2_000_000);
        history.forget();
        second.record(500);
        history.endInterval();

        assertThat(history.total().samples()).isEqualTo(1);
        assertThat(history.total().maxNs()).isCloseTo(500L, within(1L));
    }

    @Test
    void shouldTakeWhatIsBeyondItsRange() {
        first.record(-5);
        first.record(Long.MAX_VALUE);

        assertThat(history.endInterval().samples()).isEqualTo(2);
    }
}
