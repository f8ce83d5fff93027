package dev.avocet.jms.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {
    private final Queue<Runnable> given = new ArrayDeque<>();
    private final SerialExecutor executor = new SerialExecutor(given::add);
    private final List<Integer> done = new ArrayList<>();

    private void runGiven() {
        for (Runnable next = given.poll(); next != null; next = given.poll()) {
            next.run();
        }
    }

    @Test
    void shouldTakeOneThreadAtATime() {
        executor.execute(() -> done.add(1));
        executor.execute(() -> done.add(2));
        assertThat(given).hasSize(1);

        runGiven();
        executor.execute(() -> done.add(3));

        assertThat(given).hasSize(1);
        runGiven();
        assertThat(done).containsExactly(1, 2, 3);
    }

    @Test
    void shouldLetOthersHaveTheirTurnAndLoseNothing() {
        for (int i = 0; i < 1_000; i++) {
            final int number = i;
            executor.execute(() -> done.add(number));
        }

        given.remove().run();
        final int inFirstTurn = done.size();
        runGiven();

        assertThat(inFirstTurn).isBetween(1, 500);
        assertThat(done).hasSize(1_000).isSorted();
    }

    @Test
    void shouldGoOnWhenATaskFails() {
        executor.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        executor.execute(() -> {
            throw new AssertionError("on purpose");
        });
        executor.execute(() -> done.add(1));

        runGiven();

        assertThat(done).containsExactly(1);
    }

    @Test
    void shouldKnowItsThreadWhileItRuns() {
        final List<Boolean> current = new ArrayList<>();
        executor.execute(() -> current.add(executor.isCurrentThread()));

        runGiven();

        assertThat(current).containsExactly(true);
        assertThat(executor.isCurrentThread()).isFalse();
    }

    @Test
    void shouldRunWhatHasComeBeforeTheEndAndNothingAfterIt() {
        executor.execute(() -> done.add(1));
        executor.shutdown();
        executor.execute(() -> done.add(2));

        runGiven();

        assertThat(done).containsExactly(1);
    }
}
