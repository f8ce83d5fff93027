package dev.avocet.core.queue.transit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class DelayedHeapTest {
    private final DelayedHeap<Later> heap = new DelayedHeap<>();
    private final int[] looks = new int[1];

    @Test
    void shouldHaveTheEarliestFirstWhateverIsTakenAway() {
        for (int seed = 0; seed < 20; seed++) {
            Random chance = new Random(seed);
            TreeSet<Later> model = new TreeSet<>(
                    Comparator.comparingLong((Later one) -> one.whenMs).thenComparingLong(one -> one.order));
            List<Later> all = new ArrayList<>();
            for (int step = 0; step < 20_000; step++) {
                boolean grows = step % 10_000 < 5_000;
                if (model.isEmpty() || chance.nextInt(10) < (grows ? 7 : 3)) {
                    Later added = new Later(chance.nextInt(100), step, looks);
                    heap.add(added);
                    model.add(added);
                    all.add(added);
                } else {
                    Later gone = chance.nextBoolean() ? model.first() : all.get(chance.nextInt(all.size()));
                    heap.remove(gone); // which may have gone before
                    model.remove(gone);
                }
                assertThat(heap.size()).as("seed %d", seed).isEqualTo(model.size());
                assertThat(heap.first()).as("seed %d", seed).isSameAs(model.isEmpty() ? null : model.first());
            }
            for (Later first = heap.first(); first != null; first = heap.first()) {
                assertThat(first).isSameAs(model.pollFirst());
                heap.remove(first);
            }
            assertThat(model).isEmpty();
        }
    }

    @Test
    void shouldTakeOneAwayInFewStepsHoweverManyThereAre() {
        // given
        List<Later> all = new ArrayList<>();
        for (int i = 0; i < 300_000; i++) {
            all.add(new Later(i * 7_919L % 100_003, i, looks));
            heap.add(all.get(i));
        }

        // when
        int most = 0;
        for (int i = 0; i < all.size(); i += 100) {
            looks[0] = 0;
            heap.remove(all.get(i));
            most = Math.max(most, looks[0]);
        }

        // then
        assertThat(heap.size()).isEqualTo(297_000);
        assertThat(most).isPositive().isLessThan(200);
    }

    /** Counts how often it is compared. */
    private static final class Later extends DelayedEntries.Entry {
        private final int[] looks;
        private final long whenMs;
        private final long order;

        Later(long whenMs, long order, int[] looks) {
            this.looks = looks;
            this.whenMs = whenMs;
            this.order = order;
        }

        @Override
        protected long notBeforeWallMs() {
            looks[0]++;
            return whenMs;
        }

        @Override
        protected long order() {
            return order;
        }
    }
}
