package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.part.LiveRun;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RateChanges;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is asked of a run, and changed in it, while messages flow. */
final class LiveRunTest {
    @Test
    void shouldGoOnAtAnotherRate() {
        try (TestBroker broker = Brokers.start()) {
            // given a run at a rate that it could not keep for long, with a command that was there before it began
            Plans plans = new Plans(broker.port());
            plans.schedule = RateSchedule.fixed(0.001);
            MqttRun run = new MqttRun(plans.plan(), RunClock.system(), snapshot -> {});
            AtomicReference<Map<String, LatencySummary>> seen = new AtomicReference<>(Map.of());
            assertThat(run.submit(live -> live.changeRate(400))).isTrue();
            run.submit(LiveRun::report);
            run.submit(live -> seen.set(live.latencies()));

            // when
            RunResult result = run.execute(Map.of(), Map.of());

            // then
            assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
            assertThat(result.intendedPerSecond()).isBetween(0.01, 401.0);
            assertThat(result.tally().received()).isGreaterThan(1); // the one of the first rate
            assertThat(seen.get()).containsKey("connect");
            assertThat(run.submit(live -> {})).isFalse();
        }
    }

    @Test
    void shouldCountWhatWasIntendedAcrossChanges() {
        RateChanges changes = new RateChanges();
        changes.add(RateSchedule.fixed(100), 0);
        changes.add(RateSchedule.fixed(0), secondsAsNs(2));
        changes.add(RateSchedule.fixed(10), secondsAsNs(3));

        assertThat(changes.messagesBetween(secondsAsNs(1), secondsAsNs(5))).isEqualTo(100 + 20);
        assertThat(changes.messagesBetween(secondsAsNs(4), secondsAsNs(5))).isEqualTo(10);
    }

    private static long secondsAsNs(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
