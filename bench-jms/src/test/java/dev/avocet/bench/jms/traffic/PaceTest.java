package dev.avocet.bench.jms.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PaceTest {
    private static final long ENDLESS = Long.MAX_VALUE;

    private final HandClock clock = new HandClock();

    /** Goes on when it is told to, and counts how often it was read. */
    private static final class HandClock implements RunClock {
        private long nowNs = 1_000_000;
        private int readings;

        @Override
        public long nanoTime() {
            readings++;
            return nowNs;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }
    }

    private static final class SlowClock implements RunClock {
        private long nowNs = 1_000;

        @Override
        public long nanoTime() {
            nowNs += 15_000_000;
            return nowNs;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }
    }

    @Test
    void shouldLookForRoomLessAndLessOftenWhileThereIsNone() {
        // given: room is found after 300 ms
        AtomicInteger looks = new AtomicInteger();
        long endNs = System.nanoTime() + Duration.ofMillis(300).toNanos();
        Pace pace = new Pace(clock, 0, () -> {
            looks.incrementAndGet();
            return System.nanoTime() - endNs < 0 ? 0 : 1;
        });

        // when
        pace.await();

        // then: every 50 µs would be thousands
        assertThat(System.nanoTime() - endNs).isNotNegative();
        assertThat(looks.get()).isBetween(2, 500);
    }

    @Test
    void shouldReadTheClockOnceForEightMessagesThatAreSentAtOnce() {
        // given
        Pace pace = unpaced();

        // when
        send(pace, 800, 1_000);

        // then
        assertThat(clock.readings).isBetween(100, 110);
    }

    @Test
    void shouldNeverBeLaterThanNowNorMuchEarlier() {
        // given
        Pace pace = unpaced();

        for (int i = 0; i < 1_000; i++) {
            // when
            long intendedNs = pace.await();

            // then
            assertThat(intendedNs).isBetween(clock.nowNs - 20_000, clock.nowNs);
            clock.nowNs += i % 2_000;
        }
    }

    @Test
    void shouldReadTheClockForEachMessageThatTakesItsTime() {
        // given: so far all went fast
        Pace pace = unpaced();
        send(pace, 100, 100);

        // when
        send(pace, 14, 50_000);
        List<Long> lags = send(pace, 20, 50_000);

        // then
        assertThat(lags).containsOnly(0L);
    }

    @Test
    void shouldBeginAMomentAfterACommit() {
        // given
        Pace pace = unpaced();
        send(pace, 100, 100);

        // when
        clock.nowNs += 5_000_000;
        pace.endMoment();

        // then
        assertThat(pace.await()).isEqualTo(clock.nowNs);
    }

    @Test
    void shouldMeanPacedMessagesForTheirTimesAndNotLookAtTheClockForWhatIsOverdue() {
        // given
        long startNs = clock.nowNs;
        Pace pace = new Pace(clock, 0, () -> ENDLESS);
        pace.begin(RateSchedule.fixed(1_000), 0, 1, startNs);
        clock.nowNs += 10_500_000;

        // when
        List<Long> intendedNs = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            intendedNs.add(pace.await() - startNs);
        }

        // then
        assertThat(intendedNs)
                .containsExactly(
                        0L,
                        1_000_000L,
                        2_000_000L,
                        3_000_000L,
                        4_000_000L,
                        5_000_000L,
                        6_000_000L,
                        7_000_000L,
                        8_000_000L,
                        9_000_000L,
                        10_000_000L);
        assertThat(clock.readings).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldSendNothingBeforeItBegins() {
        for (RateSchedule schedule : List.of(RateSchedule.unpaced(), RateSchedule.fixed(1_000))) {
            // given a time that passes when somebody looks
            SlowClock passing = new SlowClock();
            Pace pace = new Pace(passing, 0, () -> ENDLESS);
            long beginNs = passing.nowNs + 40_000_000;
            pace.begin(schedule, 0, 1, beginNs);

            // when
            long intendedNs = pace.await();

            // then
            assertThat(passing.nowNs).isGreaterThanOrEqualTo(beginNs);
            assertThat(intendedNs).isBetween(beginNs, passing.nowNs);
        }
    }

    @Test
    void shouldLookForRoomWhenThatIsUsedUpAndWaitWhileThereIsNone() {
        // given: no room at every second look
        List<Long> looks = new ArrayList<>();
        Pace pace = new Pace(clock, 20, () -> {
            looks.add(clock.nowNs);
            return looks.size() % 2 == 0 ? 0 : 5;
        });
        pace.begin(RateSchedule.unpaced(), 0, 1, clock.nowNs);

        // when
        send(pace, 20, 100);

        // then
        assertThat(looks).hasSize(7);
        assertThat(pace.await()).isEqualTo(Pace.OVER);
    }

    @Test
    void shouldEndWhenItIsStopped() {
        // given
        Pace pace = unpaced();
        send(pace, 3, 100);

        // when
        pace.stop();

        // then
        assertThat(pace.await()).isEqualTo(Pace.OVER);
    }

    private Pace unpaced() {
        Pace pace = new Pace(clock, 0, () -> ENDLESS);
        pace.begin(RateSchedule.unpaced(), 0, 1, clock.nowNs);
        return pace;
    }

    /** @return by how much each was meant to be sent earlier than it was */
    private List<Long> send(Pace pace, int messages, long eachNs) {
        List<Long> lags = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            lags.add(clock.nowNs - pace.await());
            clock.nowNs += eachNs;
        }
        return lags;
    }
}
