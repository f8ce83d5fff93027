package dev.avocet.core.store.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.MemoryGuard;
import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
    private final MemoryGuard guard = new MemoryGuard();
    private final MemoryBudget budget = new MemoryBudget(1000, guard);

    @Test
    void shouldGiveWhatThereIsAndTakeItBack() {
        // when
        boolean first = budget.keep(600);
        boolean tooMuch = budget.keep(401);
        boolean rest = budget.keep(400);
        boolean nothingLeft = budget.keep(1);
        budget.letGo(600);
        boolean again = budget.keep(500);

        // then
        assertThat(first).isTrue();
        assertThat(tooMuch).isFalse();
        assertThat(rest).isTrue();
        assertThat(nothingLeft).isFalse();
        assertThat(again).isTrue();
        assertThat(budget.keptBytes()).isEqualTo(900);
    }

    @Test
    void shouldKeepNothingWhileTheHeapIsShort() {
        // given
        guard.sample(40);

        // when
        boolean kept = budget.keep(1);

        // then
        assertThat(kept).isFalse();
        guard.sample(80);
        assertThat(budget.keep(1)).isTrue();
    }
}
