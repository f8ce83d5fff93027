package dev.avocet.ha.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StandbyLagTest {
    private static final long BEGIN = 1_000;
    private static final long LAST_RECORD = 70;

    private final ManualClock clock = new ManualClock();
    private final PairTimes times = new PairTimes();
    private StandbyLag lag;

    @BeforeEach
    void begin() {
        lag = new StandbyLag(times, clock, BEGIN);
        lag.begins(LAST_RECORD);
    }

    @Test
    void shouldCountWhatTheStandbyHasNotConfirmedAndHowOldItIs() {
        // given
        lag.confirmed(BEGIN, true);
        assertThat(lag.records(BEGIN)).isZero();
        assertThat(lag.ageMs(BEGIN)).isZero();

        // when
        lag.appended(1_100, 73);
        advanceMs(20);
        lag.appended(1_200, 74);
        advanceMs(5);

        // then
        assertThat(lag.records(1_200)).isEqualTo(4);
        assertThat(lag.ageMs(1_200)).isEqualTo(26);

        // when some of it is confirmed
        lag.confirmed(1_100, true);

        // then
        assertThat(lag.records(1_200)).isEqualTo(1);
        assertThat(lag.ageMs(1_200)).isEqualTo(6);

        // when all of it is
        lag.confirmed(1_200, true);

        // then
        assertThat(lag.records(1_200)).isZero();
        assertThat(lag.ageMs(1_200)).isZero();
        assertThat(times.confirmNs().getTotalCount()).isEqualTo(2);
        assertThat(TimeUnit.NANOSECONDS.toMillis(times.confirmNs().getMaxValue()))
                .isBetween(24L, 26L);
    }

    @Test
    void shouldSayThatItDoesNotKnowWhileTheStandbyIsAway() {
        // when
        lag.appended(1_100, 73);
        lag.confirmed(-1, false);

        // then
        assertThat(lag.records(1_100)).isEqualTo(-1);
        assertThat(lag.ageMs(1_100)).isEqualTo(-1);
    }

    @Test
    void shouldCountWhatIsOlderThanTheTermFromItsBegin() {
        // when
        advanceMs(500);
        lag.appended(1_100, 73);
        lag.confirmed(400, false);

        // then
        assertThat(lag.records(1_100)).isEqualTo(-1);
        assertThat(lag.ageMs(1_100)).isEqualTo(501);

        // when it catches up, which no commit has waited for
        lag.confirmed(1_100, false);

        // then
        assertThat(lag.records(1_100)).isZero();
        assertThat(times.confirmNs().getTotalCount()).isZero();
    }

    @Test
    void shouldMeasureHowLongCommitsWaitForThePair() {
        // when
        lag.durable(1_100);
        advanceMs(3);
        lag.durable(1_200);
        lag.committed(1_100);
        advanceMs(4);
        lag.committed(1_200);

        // then
        assertThat(times.waitNs().getTotalCount()).isEqualTo(2);
        assertThat(times.waitNs().getMaxValue())
                .isBetween(TimeUnit.MILLISECONDS.toNanos(3), TimeUnit.MILLISECONDS.toNanos(5));
    }

    @Test
    void shouldKeepTheTimeOfTheOldestWhereThereIsNoRoomForMore() {
        // given more than it has room for
        lag.confirmed(BEGIN, true);
        int groups = 10_000;
        for (int i = 1; i <= groups; i++) {
            lag.appended(BEGIN + i, LAST_RECORD + i);
            advanceMs(1);
        }
        assertThat(lag.ageMs(BEGIN + groups)).isEqualTo(groups + 1);

        // when all is confirmed that has been noted one by one
        lag.confirmed(BEGIN + 4_096, true);

        // then the age is that of what came next
        assertThat(lag.ageMs(BEGIN + groups)).isEqualTo(groups - 4_096 + 1);
        assertThat(lag.records(BEGIN + groups)).isGreaterThanOrEqualTo(groups - 4_096);

        // when more comes, and all is confirmed
        lag.appended(BEGIN + groups + 1, LAST_RECORD + groups + 1);
        lag.confirmed(BEGIN + groups + 1, true);

        // then
        assertThat(lag.records(BEGIN + groups + 1)).isZero();
        assertThat(lag.ageMs(BEGIN + groups + 1)).isZero();
    }

    @Test
    void shouldLoseNoMarkBetweenTwoThreads() {
        // given
        Marks marks = new Marks();
        int count = 500_000;

        // when
        CompletableFuture<Void> adding = CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= count; i++) {
                marks.add(i, i, i);
            }
        });
        long last = 0;
        boolean isOver = false;
        while (!isOver) {
            isOver = adding.isDone();
            while (marks.isReached(count)) {
                assertThat(marks.oldestNs(0)).isGreaterThan(last);
                last = marks.take();
            }
        }

        // then each mark stands for all that have come before it, and only what had no room at the end has none
        assertThat(last).isPositive();
        assertThat(last == count ? marks.oldestNs(0) == 0 : marks.oldestNs(0) > last)
                .isTrue();
    }

    private void advanceMs(long ms) {
        clock.advance(Duration.ofMillis(ms));
    }
}
