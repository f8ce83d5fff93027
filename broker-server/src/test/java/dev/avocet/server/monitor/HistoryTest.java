package dev.avocet.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private final History history = new History(List.of("a", "b"));

    @Test
    void shouldBeEmptyAtFirst() {
        assertThat(history.window("a", 60).values()).isEmpty();
        assertThat(history.window("a", 60).lastMs()).isZero();
    }

    @Test
    void shouldTellTheLastValuesTheOldestFirst() {
        // when
        for (int i = 0; i < 5; i++) {
            sampleAt(i * 5L, i, 100 + i);
        }

        // then
        assertThat(history.window("a", 15).values()).containsExactly(2, 3, 4);
        assertThat(history.window("b", 1_800).values()).containsExactly(100, 101, 102, 103, 104);
        assertThat(history.window("b", 15).intervalS()).isEqualTo(5);
        assertThat(history.window("b", 15).lastMs()).isEqualTo(20_000);
    }

    @Test
    void shouldKeepAnHourFinelyAndADayCoarsely() {
        // when: 25 hours
        int samples = 25 * 720;
        for (int i = 0; i < samples; i++) {
            sampleAt(i * 5L, i, 0);
        }

        // then
        History.Window hour = history.window("a", 3_600);
        assertThat(hour.values()).hasSize(720).startsWith(samples - 720).endsWith(samples - 1);
        History.Window day = history.window("a", 86_400);
        assertThat(day.intervalS()).isEqualTo(60);
        assertThat(day.values()).hasSize(1_440).startsWith(samples - 1_440 * 12).endsWith(samples - 12);
        assertThat(history.window("a", 7_200).values()).hasSize(120).endsWith(samples - 12);
    }

    @Test
    void shouldFillAGapAndIgnoreWhatComesTooEarly() {
        // when
        sampleAt(0, 1, 0);
        sampleAt(1, 2, 0);
        sampleAt(20, 3, 0);

        // then
        assertThat(history.window("a", 60).values()).containsExactly(1, 3, 3, 3, 3);
    }

    @Test
    void shouldSurviveAVeryLongGap() {
        // when
        sampleAt(0, 1, 0);
        sampleAt(TimeUnit.DAYS.toSeconds(3_000), 2, 0);

        // then
        assertThat(history.window("a", 86_400).values()).hasSize(1_440).containsOnly(2);
        assertThat(history.window("a", 3_600).values()).hasSize(720).containsOnly(2);
    }

    private void sampleAt(long second, long... values) {
        history.sample(TimeUnit.SECONDS.toNanos(second), TimeUnit.SECONDS.toMillis(second), values);
    }
}
