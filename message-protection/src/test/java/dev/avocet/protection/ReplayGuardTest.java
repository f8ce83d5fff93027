package dev.avocet.protection;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReplayGuardTest {
    private static final StreamId STREAM = new StreamId(1, 1);

    @Test
    void shouldTakeEachNumberOnceInAnyOrder() throws Exception {
        ReplayGuard guard = new ReplayGuard();
        long[] numbers = LongStream.rangeClosed(1, 20_000).toArray();
        Random random = new Random(7);
        for (int i = numbers.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            long swapped = numbers[i];
            numbers[i] = numbers[j];
            numbers[j] = swapped;
        }

        for (long number : numbers) {
            guard.take(STREAM, number, false);
        }

        for (long number : numbers) {
            assertThatThrownBy(() -> guard.take(STREAM, number, false)).isInstanceOf(ProtectionException.class);
        }
    }

    @Test
    void shouldKeepTheRunsOfSendersApart() throws Exception {
        ReplayGuard guard = new ReplayGuard();

        guard.take(STREAM, 1, false);

        assertThatCode(() -> guard.take(new StreamId(1, 2), 1, false)).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseWhatItCannotTellAnyMore() throws Exception {
        ReplayGuard guard = new ReplayGuard(2);
        guard.take(STREAM, 3, false);
        guard.take(STREAM, 5_000, false);
        guard.take(STREAM, 10_000, false);

        assertThatThrownBy(() -> guard.take(STREAM, 3, false)).hasMessageContaining("may have been seen before");
        assertThatThrownBy(() -> guard.take(STREAM, 2, false)).hasMessageContaining("may have been seen before");
        assertThatCode(() -> guard.take(STREAM, 2, true)).doesNotThrowAnyException();
    }

    @Test
    void shouldGoOnWithASlowSenderBehindManyOthers() throws Exception {
        ReplayGuard guard = new ReplayGuard(2);
        guard.take(STREAM, 1, false);
        for (int other = 2; other < 10; other++) {
            guard.take(new StreamId(1, other), 1, false);
        }

        assertThatCode(() -> guard.take(STREAM, 2, false)).doesNotThrowAnyException();
        assertThatThrownBy(() -> guard.take(STREAM, 1, false)).isInstanceOf(ProtectionException.class);
        assertThatThrownBy(() -> guard.take(STREAM, 2, false)).hasMessageContaining("this is a copy");
    }

    @Test
    void shouldTakeNoCopyBecauseAnotherMessageOfItsPageIsDeliveredAgain() throws Exception {
        ReplayGuard guard = new ReplayGuard(2);
        guard.take(STREAM, 1, false);
        guard.take(STREAM, 2, false);
        guard.take(new StreamId(1, 2), 1, false);
        guard.take(new StreamId(1, 3), 1, false);

        guard.take(STREAM, 2, true);

        assertThatThrownBy(() -> guard.take(STREAM, 1, false)).isInstanceOf(ProtectionException.class);
        assertThatCode(() -> guard.take(STREAM, 3, false)).doesNotThrowAnyException();
    }

    @Test
    void shouldTakeOnceMoreWhatCameBeforeTheConnectionWasLost() throws Exception {
        ReplayGuard guard = new ReplayGuard();
        guard.take(STREAM, 1, false);
        guard.forgive();

        assertThatCode(() -> guard.take(STREAM, 1, false)).doesNotThrowAnyException();
        assertThatThrownBy(() -> guard.take(STREAM, 1, false)).hasMessageContaining("this is a copy");
    }
}
