package dev.avocet.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MergedLatencyTest {
    @Test
    void shouldBeTheDistributionOfAllSamples() {
        // given three recorders, each in a process of its own
        LatencyRecorder all = new LatencyRecorder();
        MergedLatency merged = new MergedLatency();
        for (int process = 1; process <= 3; process++) {
            LatencyRecorder own = new LatencyRecorder();
            for (int i = 1; i <= 1000; i++) {
                own.record((long) i * i * process);
                all.record((long) i * i * process);
            }
            LatencyHistory history = new LatencyHistory(List.of(own));
            history.endInterval();
            merged.add(history.encodedInterval());
        }

        // then
        LatencyHistory expected = new LatencyHistory(List.of(all));
        expected.endInterval();
        assertThat(merged.summary()).isEqualTo(expected.total());
        assertThat(merged.percentiles()).isEqualTo(expected.percentiles());
    }

    @Test
    void shouldRefuseWhatIsNoHistogram() {
        assertThatThrownBy(() -> new MergedLatency().add(new byte[] {1, 2, 3}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no histogram");
    }
}
