package dev.avocet.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PauseRecordingTest {
    private final RunClock clock = RunClock.system();

    @Test
    void shouldNoteWhenTheCollectorStoppedTheHarness() {
        try (PauseRecording recording = PauseRecording.start(clock)) {
            long startNs = clock.nanoTime();

            // when
            HarnessLoad load;
            try (HarnessWatch watch = new HarnessWatch(clock, List.of(), recording)) {
                collect();
                load = watch.load();
            }
            double seconds = (clock.nanoTime() - startNs) / 1e9;
            HarnessLoad withPauses = recording.addTo(load, startNs);

            // then it took some time, in this run
            assertThat(withPauses.pauses()).anySatisfy(pause -> {
                assertThat(pause.kind()).isEqualTo(Pause.COLLECTOR);
                assertThat(pause.cause()).contains("System.gc()");
                assertThat(pause.seconds()).isBetween(-0.1, seconds + 0.1);
            });
            assertThat(withPauses.longestPauseNs()).isPositive();
            assertThat(withPauses.totalPauseNs()).isGreaterThanOrEqualTo(withPauses.longestPauseNs());
        }
    }

    @Test
    void shouldNoteWhatElseTheHarnessWasStoppedFor() {
        // given
        try (PauseRecording recording = PauseRecording.start(clock)) {
            HarnessLoad load;
            try (HarnessWatch watch = new HarnessWatch(clock, List.of(), recording)) {
                ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
                load = watch.load();
            }

            // when
            HarnessLoad withPauses = recording.addTo(load, 0);

            // then even those that are too short to be told
            assertThat(withPauses.longestPauseNs()).isPositive();
        }
    }

    /** Connecting many clients is allowed to take the collector's time. */
    @Test
    void shouldJudgeOnlyThePausesOfTheMeasurement() {
        try (PauseRecording recording = PauseRecording.start(clock)) {
            collect();
            recording.measuredFrom(clock.nanoTime() + TimeUnit.HOURS.toNanos(1));
            recording.measuredTo(clock.nanoTime() + TimeUnit.HOURS.toNanos(2));

            HarnessLoad load = recording.addTo(HarnessLoad.NONE, 0);

            assertThat(load.pauses()).isNotEmpty();
            assertThat(load.longestPauseNs()).isZero();
        }
    }

    /** As when the process is told to end. */
    @Test
    void shouldKeepTheResultOfWhichTheRecordingIsGone() {
        try (PauseRecording recording = PauseRecording.start(clock)) {
            HarnessLoad load = new HarnessLoad(0.5, 0.7, 2_000_000, 3_000_000, List.of());
            recording.addTo(load, 0);

            // then it was stopped already
            assertThat(recording.addTo(load, 0)).isEqualTo(load);
        }
    }

    private static void collect() {
        ManagementFactory.getMemoryMXBean().gc();
    }
}
