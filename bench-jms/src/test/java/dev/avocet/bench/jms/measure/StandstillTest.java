package dev.avocet.bench.jms.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.jms.destination.DestinationKind;
import dev.avocet.bench.jms.fake.FakeBroker;
import dev.avocet.bench.jms.fake.Fault;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.plan.Timing;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Verdict.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * A broker that takes messages while the run warms up, moves none while it is measured, and delivers all of them at the
 * end.
 */
final class StandstillTest {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MEASURE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

    private final FakeBroker broker = new FakeBroker(Fault.HOLD, 1);
    private final JumpingClock clock = new JumpingClock();
    private final RunPlan plan = Plans.run(
            Plans.flow(DestinationKind.QUEUE, "queue", 1, 1, 1),
            0,
            "64",
            1,
            new Timing(HOUR_NS, MEASURE_NS, HOUR_NS, INTERVAL_NS));

    /** By how much more than the warm-up the clock jumps. */
    private long lateNs;

    /** What the one sender may send before it waits for room. */
    private final long full = plan.maxUnderWay() - plan.maxUnderWay() / 16;

    /** The hour of the warm-up passes when it is told to. */
    private static final class JumpingClock implements RunClock {
        private final RunClock system = RunClock.system();
        private final AtomicLong aheadNs = new AtomicLong();

        @Override
        public long nanoTime() {
            return system.nanoTime() + aheadNs.get();
        }

        @Override
        public Instant now() {
            return system.now();
        }

        void jump(long ns) {
            aheadNs.set(ns);
        }
    }

    @Test
    void shouldFailWhenNothingMovesWhileItIsMeasured() {
        // when
        RunResult result = new JmsRun(plan, List.of(broker::connect), clock, this::atInterval).run();

        // then
        assertThat(result.tally().sent()).isEqualTo(full);
        assertThat(result.tally().lost()).isZero();
        assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.verdict().reasons())
                .containsExactly("it stood still: nothing was sent while it was measured");
    }

    @Test
    void shouldMeasureAsLongAsItIsToldHoweverLateItBegins() {
        // given a machine that is so busy that the measurement begins when it should have ended
        lateNs = 10 * MEASURE_NS;

        // when
        RunResult result = new JmsRun(plan, List.of(broker::connect), clock, this::atInterval).run();

        // then
        assertThat(result.measuredSeconds()).isGreaterThanOrEqualTo(MEASURE_NS / 1e9);
    }

    private void atInterval(Snapshot snapshot) {
        if (snapshot.phase().equals("warm-up") && snapshot.underWay() == full) {
            clock.jump(HOUR_NS + lateNs);
        } else if (snapshot.phase().equals("drain")) {
            broker.letGo();
        }
    }
}
