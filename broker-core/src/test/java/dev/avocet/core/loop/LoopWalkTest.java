package dev.avocet.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.ManualLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopWalkTest {
    private final ManualLoops loops = new ManualLoops(1);
    private final List<Integer> seen = new ArrayList<>();

    @Test
    void shouldLetTheLoopDoSomethingElseInBetween() {
        // given
        List<Integer> items = IntStream.range(0, 1_200).boxed().toList();
        CompletableFuture<Void> done = LoopWalk.begin(loops.io(0), items, seen::add);

        // when
        loops.get(0).runOne();

        // then
        assertThat(seen).hasSize(500);
        assertThat(done).isNotDone();

        // when
        loops.settle();

        // then
        assertThat(seen).isEqualTo(items);
        assertThat(done).isCompleted();
    }

    @Test
    void shouldEndWhenNobodyWaitsAnyMore() {
        // given
        CompletableFuture<Void> done =
                LoopWalk.begin(loops.io(0), IntStream.range(0, 1_200).boxed().toList(), seen::add);
        loops.get(0).runOne();

        // when
        done.cancel(false);
        loops.settle();

        // then
        assertThat(seen).hasSize(500);
    }

    @Test
    void shouldTellOfAVisitorThatFails() {
        // when
        CompletableFuture<Void> done = LoopWalk.begin(loops.io(0), List.of(1), item -> {
            throw new IllegalStateException("visitor");
        });
        loops.settle();

        // then
        assertThat(done).isCompletedExceptionally();
    }
}
