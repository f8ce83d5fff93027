package dev.avocet.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class PacerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long THOUSANDTH = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void shouldSpaceMessagesEvenly() {
        Pacer pacer = new Pacer(RateSchedule.fixed(1000), 1, 0, 5 * SECOND);

        assertThat(take(pacer, 3)).containsExactly(5 * SECOND, 5 * SECOND + THOUSANDTH, 5 * SECOND + 2 * THOUSANDTH);
    }

    @Test
    void shouldNotForgetWhatFellDueDuringAStall() {
        // given
        Pacer pacer = new Pacer(RateSchedule.fixed(100), 1, 0, 0);
        pacer.take();

        // when nobody asks for half a second
        long late = 500 * THOUSANDTH;

        // then all messages of that time are due, each at its own time
        assertThat(pacer.isDue(late)).isTrue();
        assertThat(take(pacer, 50)).startsWith(10 * THOUSANDTH, 20 * THOUSANDTH).endsWith(500 * THOUSANDTH);
        assertThat(pacer.isDue(late)).isFalse();
    }

    @Test
    void shouldShareARateAmongThreads() {
        Pacer first = new Pacer(RateSchedule.fixed(1000), 0.5, 0, 0);
        Pacer second = new Pacer(RateSchedule.fixed(1000), 0.5, 0.5, 0);

        assertThat(take(first, 2)).containsExactly(0L, 2 * THOUSANDTH);
        assertThat(take(second, 2)).containsExactly(THOUSANDTH, 3 * THOUSANDTH);
    }

    @Test
    void shouldClimbStepsAndStayOnTheLast() {
        Pacer pacer = new Pacer(RateSchedule.stepped(List.of(1.0, 2.0), 2 * SECOND), 1, 0, 0);

        assertThat(take(pacer, 8))
                .containsExactly(
                        0L,
                        SECOND,
                        2 * SECOND,
                        2 * SECOND + 500 * THOUSANDTH,
                        3 * SECOND,
                        3 * SECOND + 500 * THOUSANDTH,
                        4 * SECOND,
                        4 * SECOND + 500 * THOUSANDTH);
    }

    @Test
    void shouldSendBurstsAndRestBetweenThem() {
        Pacer pacer = new Pacer(RateSchedule.bursts(0, 2, 10 * SECOND, SECOND), 1, 0, 0);

        assertThat(take(pacer, 4))
                .containsExactly(
                        9 * SECOND, 9 * SECOND + 500 * THOUSANDTH, 19 * SECOND, 19 * SECOND + 500 * THOUSANDTH);
    }

    @Test
    void shouldSayHowManyMessagesAScheduleMeans() {
        RateSchedule bursts = RateSchedule.bursts(1, 100, 10 * SECOND, SECOND);

        assertThat(bursts.messagesBetween(0, 20 * SECOND)).isCloseTo(218, within(0.001));
        assertThat(bursts.messagesBetween(9 * SECOND, 10 * SECOND)).isCloseTo(100, within(0.001));
        assertThat(RateSchedule.fixed(0.05).messagesBetween(SECOND, 21 * SECOND))
                .isCloseTo(1, within(0.001));
    }

    @Test
    void shouldRefuseARateThatIsNone() {
        assertThatThrownBy(() -> new Pacer(RateSchedule.fixed(0), 1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RateSchedule.fixed(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Long> take(Pacer pacer, int count) {
        return LongStream.range(0, count).map(i -> pacer.take()).boxed().toList();
    }
}
