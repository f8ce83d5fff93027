package dev.avocet.core.store.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.FilePlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReclaimerTest {
    private static final int SEGMENT_BYTES = 64 << 10;

    private final StoreRig rig = new StoreRig(SEGMENT_BYTES, StoreRig.settings());

    @Test
    void shouldDropDeadSegmentsOnlyOnceTwoCheckpointsAreYounger() {
        // given
        fillSegments(3).forEach(HeldReference::acknowledge);

        // when
        checkpoint();
        int afterOne = rig.journal.segments().size();
        checkpoint();

        // then
        assertThat(afterOne).isEqualTo(4);
        assertThat(rig.journal.segments()).hasSize(1);
        assertThat(rig.statistics().droppedSegments()).isEqualTo(3);
    }

    @Test
    void shouldKeepASegmentForOneReferenceAndDropYoungerOnes() {
        // given
        List<HeldReference> held = fillSegments(3);
        held.stream()
                .filter(reference -> FilePlace.segment(reference.position()) != 1)
                .forEach(HeldReference::acknowledge);

        // when
        rig.becomeOld();

        // then
        assertThat(rig.journal.has(1)).isTrue();
        assertThat(rig.journal.segments()).hasSize(2);
    }

    @Test
    void shouldKeepASegmentThatTheOlderCheckpointStillNames() {
        // given
        List<HeldReference> held = fillSegments(2);
        checkpoint();

        // when the last references end after a checkpoint has named them
        held.forEach(HeldReference::acknowledge);
        checkpoint();
        boolean keptBeside = rig.journal.has(1);
        checkpoint();

        // then
        assertThat(keptBeside).isTrue();
        assertThat(rig.journal.has(1)).isFalse();
    }

    @Test
    void shouldKeepWhatAnotherNeeds() {
        // given
        fillSegments(4).forEach(HeldReference::acknowledge);
        rig.oldestNeeded = FilePlace.of(3, 100);

        // when
        rig.becomeOld();
        boolean pinnedKept = rig.journal.has(3) && rig.journal.has(4);
        boolean othersGone = !rig.journal.has(1) && !rig.journal.has(2);
        rig.oldestNeeded = Long.MAX_VALUE;
        rig.advance(Duration.ofSeconds(1));

        // then
        assertThat(pinnedKept).isTrue();
        assertThat(othersGone).isTrue();
        assertThat(rig.journal.segments()).hasSize(1);
    }

    @Test
    void shouldNotEmptyWhatAnotherNeeds() {
        // given
        leaveOnePerSegment(fillSegments(8));
        rig.oldestNeeded = FilePlace.of(1, 8);

        // when
        rig.becomeOld();
        rig.advance(Duration.ofSeconds(10));

        // then
        assertThat(rig.statistics().movedMessages()).isZero();
    }

    @Test
    void shouldReportASegmentThatCannotBeDroppedOnceAndTryAgainWithEachCheckpoint() {
        // given
        fillSegments(2).forEach(HeldReference::acknowledge);
        rig.journal.makeUndroppable(1);

        // when
        rig.becomeOld();
        rig.advance(Duration.ofSeconds(5));
        long failures = rig.statistics().dropFailures();
        int tries = rig.journal.dropTries().stream()
                .filter(segment -> segment == 1)
                .toList()
                .size();
        rig.journal.makeDroppable(1);
        checkpoint();

        // then
        assertThat(failures).isEqualTo(1);
        assertThat(tries).isEqualTo(1);
        assertThat(rig.journal.has(1)).isFalse();
        assertThat(rig.journal.has(2)).isFalse();
        assertThat(rig.failures).isEmpty();
    }

    @Test
    void shouldKeepASegmentWhoseCountIsWrong() {
        // given
        fillSegments(2).forEach(HeldReference::acknowledge);
        rig.table.release(FilePlace.of(1, 8), 100);

        // when
        rig.becomeOld();

        // then
        assertThat(rig.journal.has(1)).isTrue();
        assertThat(rig.journal.has(2)).isFalse();
        assertThat(rig.statistics().dropFailures()).isEqualTo(1);
    }

    @Test
    void shouldTakeCheckpointsWithoutDelayWhileTheDiskIsShort() {
        // given
        fillSegments(2).forEach(HeldReference::acknowledge);
        rig.diskShort = true;

        // when
        rig.advance(Duration.ofSeconds(3));

        // then
        assertThat(rig.journal.segments()).hasSize(1);
        assertThat(rig.statistics().checkpoints()).isEqualTo(2);
    }

    @Test
    void shouldTakeNoCheckpointForAShortDiskWhenNothingIsDead() {
        // given
        fillSegments(2);
        rig.diskShort = true;

        // when
        rig.advance(Duration.ofSeconds(10));

        // then
        assertThat(rig.statistics().checkpoints()).isZero();
    }

    @Test
    void shouldTellHowMuchIsAlive() {
        // given
        List<HeldReference> held = fillSegments(2);
        held.subList(0, held.size() / 2).forEach(HeldReference::acknowledge);
        checkpoint();

        // when
        StoreStatistics statistics = rig.statistics();

        // then
        assertThat(statistics.segments()).isEqualTo(3);
        assertThat(statistics.diskBytes()).isEqualTo(3 * SEGMENT_BYTES);
        assertThat(statistics.liveReferences()).isEqualTo(held.size() - held.size() / 2);
        assertThat(statistics.liveBytes()).isEqualTo(rig.heldBytes());
        assertThat(statistics.livePercent()).isBetween(30.0, 35.0);
        assertThat(statistics.checkpoints()).isEqualTo(1);
        assertThat(statistics.checkpointAgeNs()).isBetween(1L, 2_000_000_000L);
    }

    /** Fills so many segments with messages of one queue each, and begins another. */
    private List<HeldReference> fillSegments(int count) {
        List<HeldReference> held = new ArrayList<>();
        int end = rig.journal.current() + count;
        int turn = 0;
        while (rig.journal.current() < end) {
            held.addAll(rig.publish(200, rig.queues.get(turn++ % rig.queues.size())));
        }
        held.remove(held.size() - 1).acknowledge(); // it lies in the segment that was begun
        return held;
    }

    private void leaveOnePerSegment(List<HeldReference> held) {
        int last = 0;
        for (HeldReference reference : held) {
            if (FilePlace.segment(reference.position()) == last) {
                reference.acknowledge();
            }
            last = FilePlace.segment(reference.position());
        }
    }

    private void checkpoint() {
        rig.reclaimer.requestCheckpoint();
        rig.advance(Duration.ofSeconds(2));
    }
}
