package dev.avocet.core.store.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.FilePlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Publishes, acknowledgements, checkpoints, pins and shortages in any order, some of them while a checkpoint is taken
 * or a move is under way. {@link StoreRig} checks at each drop that nobody needs the segment.
 */
final class ReclaimerModelTest {
    private static final int STEPS = 4_000;

    private final List<HeldReference> held = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldNeverDropWhatIsNeeded(long seed) {
        // given
        Random chance = new Random(seed);
        StoreRig rig = new StoreRig(8 << 10, settings(chance));
        rig.duringCheckpoint = () -> {
            for (int i = chance.nextInt(30); i > 0; i--) {
                change(rig, chance);
            }
        };

        // when
        for (int step = 0; step < STEPS; step++) {
            step(rig, chance);
        }

        // then
        assertThat(rig.failures).isEmpty();
        assertThat(rig.statistics().droppedSegments()).isPositive();
        assertThat(rig.statistics().movedMessages()).isPositive();
        rig.shouldHoldWhatWasPublished();
        shouldCountExactly(rig);

        // and when everything is over
        recover(rig);
        rig.duringCheckpoint = () -> {};
        held.forEach(HeldReference::acknowledge);
        rig.becomeOld();
        rig.advance(Duration.ofSeconds(20));
        rig.becomeOld();

        // then
        assertThat(rig.table.totalLive()).isZero();
        assertThat(rig.journal.segments()).hasSize(1);
    }

    private static ReclaimSettings settings(Random chance) {
        return new ReclaimSettings(
                Duration.ofSeconds(1 + chance.nextInt(20)),
                1 + chance.nextInt(5),
                10 + chance.nextInt(41),
                10_000L << chance.nextInt(8),
                Duration.ofSeconds(5));
    }

    private void step(StoreRig rig, Random chance) {
        switch (chance.nextInt(20)) {
            case 0 -> rig.advance(Duration.ofMillis(chance.nextInt(2000)));
            case 1 -> rig.clock.advance(Duration.ofMillis(chance.nextInt(500)));
            case 2 -> rig.reclaimer.requestCheckpoint();
            case 3 -> breakSomething(rig, chance);
            case 4 -> recover(rig);
            case 5, 6, 7 -> rig.thread.runOne();
            case 8, 9, 10 -> rig.loops.step(chance);
            default -> change(rig, chance);
        }
    }

    /** What clients do. */
    private void change(StoreRig rig, Random chance) {
        if (chance.nextInt(100) < 45) {
            List<HeldQueue> takers = new ArrayList<>(rig.queues);
            Collections.shuffle(takers, chance);
            int count = chance.nextInt(10) == 0 ? takers.size() : 1;
            held.addAll(
                    rig.publish(chance.nextInt(400), takers.subList(0, count).toArray(HeldQueue[]::new)));
        } else if (!held.isEmpty()) {
            // some are never acknowledged, which leaves stragglers
            HeldReference reference = held.get(chance.nextInt(held.size()));
            if (reference.number() % 37 != 0) {
                held.remove(reference);
                reference.acknowledge();
            }
        }
    }

    private static void breakSomething(StoreRig rig, Random chance) {
        switch (chance.nextInt(5)) {
            case 0 -> rig.diskShort = true;
            case 1 -> rig.failsCheckpoints = true;
            case 2 -> rig.loopsAreSilent = true;
            case 3 -> rig.oldestNeeded = FilePlace.of(1 + chance.nextInt(rig.journal.current()), 8);
            default -> rig.queues.get(chance.nextInt(rig.queues.size())).failMoves(true);
        }
    }

    private static void recover(StoreRig rig) {
        rig.diskShort = false;
        rig.failsCheckpoints = false;
        rig.loopsAreSilent = false;
        rig.oldestNeeded = Long.MAX_VALUE;
        rig.queues.forEach(queue -> queue.failMoves(false));
    }

    /** Once nothing is under way, the table says what the queues hold. */
    private static void shouldCountExactly(StoreRig rig) {
        rig.work();
        long references = rig.queues.stream()
                .mapToLong(queue -> queue.references().size())
                .sum();
        assertThat(rig.table.totalLive()).isEqualTo(references);
        for (int segment = 1; segment <= rig.journal.current(); segment++) {
            long bytes = 0;
            for (HeldQueue queue : rig.queues) {
                for (HeldReference reference : queue.references()) {
                    bytes += FilePlace.segment(reference.position()) == segment ? reference.storedBytes() : 0;
                }
            }
            assertThat(rig.table.liveBytes(segment)).isEqualTo(bytes);
        }
    }
}
