package dev.avocet.core.store.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.message.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StragglerMovesTest {
    private static final int SEGMENT_BYTES = 64 << 10;

    private StoreRig rig = new StoreRig(SEGMENT_BYTES, StoreRig.settings());

    @Test
    void shouldEmptySegmentsThatAreNearlyDeadAndDropThem() {
        // given
        List<HeldReference> left = leaveOneOf(50, fillSegments(10));

        // when
        rig.becomeOld();
        rig.becomeOld();

        // then what is left lies together, and is what it was
        assertThat(rig.journal.segments()).hasSizeLessThanOrEqualTo(4);
        assertThat(left).allMatch(reference -> rig.journal.has(FilePlace.segment(reference.position())));
        rig.shouldHoldWhatWasPublished();
        assertThat(rig.table.totalLive()).isEqualTo(left.size());
        assertThat(rig.statistics().movedMessages()).isGreaterThanOrEqualTo(left.size() * 7 / 10);
    }

    @Test
    void shouldLeaveSegmentsAloneThatAreAliveEnough() {
        // given
        leaveOneOf(4, fillSegments(10));

        // when
        rig.becomeOld();
        rig.advance(Duration.ofMinutes(1));

        // then
        assertThat(rig.statistics().movedMessages()).isZero();
    }

    @Test
    void shouldLeaveASmallStoreAlone() {
        // given
        leaveOneOf(50, fillSegments(2));

        // when
        rig.becomeOld();
        rig.advance(Duration.ofMinutes(1));

        // then
        assertThat(rig.statistics().movedMessages()).isZero();
    }

    @Test
    void shouldNotMoveWhatWouldTakeMoreRoomThanItGivesBack() {
        // given messages that four queues hold: each of them would have to write its own
        HeldQueue[] all = rig.queues.toArray(HeldQueue[]::new);
        List<HeldReference> held = new ArrayList<>();
        while (rig.journal.current() <= 10) {
            held.addAll(rig.publish(200, all));
        }

        // when one in ten messages is left, which is ten per cent of the bytes but four times as much to write
        for (int i = 0; i < held.size(); i++) {
            if (i / all.length % 10 != 0) {
                held.get(i).acknowledge();
            }
        }
        rig.becomeOld();
        rig.advance(Duration.ofMinutes(1));

        // then
        assertThat(rig.statistics().movedMessages()).isZero();
    }

    @Test
    void shouldGiveALoopNoMoreThanABatchAtATime() {
        // given more survivors of one loop than fit one batch
        rig = new StoreRig(512 << 10, StoreRig.settings());
        leaveOneOf(10, fillSegments(8, 40));

        // when
        rig.becomeOld();
        rig.advance(Duration.ofSeconds(10));

        // then
        assertThat(rig.openMovesMax).isEqualTo(StragglerMoves.BATCH_MESSAGES);
        assertThat(rig.statistics().movedMessages()).isGreaterThan(4 * StragglerMoves.BATCH_MESSAGES);
    }

    @Test
    void shouldMoveNoMoreBytesASecondThanAllowed() {
        // given
        long bytesPerSecond = 20_000;
        ReclaimSettings slow =
                new ReclaimSettings(Duration.ofSeconds(30), 4, 20, bytesPerSecond, Duration.ofSeconds(60));
        rig = new StoreRig(SEGMENT_BYTES, slow);
        leaveOneOf(8, fillSegments(40));
        rig.becomeOld();

        // when
        List<Long> movedEachSecond = new ArrayList<>();
        for (int second = 0; second < 10; second++) {
            long before = rig.statistics().movedBytes();
            rig.advance(Duration.ofSeconds(1));
            movedEachSecond.add(rig.statistics().movedBytes() - before);
        }

        // then over ten seconds it is the rate, give or take the batch that overdraws it
        long batchBytes = SEGMENT_BYTES / 8;
        long sum = movedEachSecond.stream().mapToLong(Long::longValue).sum();
        assertThat(sum).isBetween(9 * bytesPerSecond - batchBytes, 10 * bytesPerSecond + 2 * batchBytes);
        assertThat(movedEachSecond).allMatch(bytes -> bytes <= bytesPerSecond + 2 * batchBytes);
    }

    @Test
    void shouldReleaseTheNewPlaceWhenTheReferenceEndsMeanwhile() {
        // given
        List<HeldReference> left = leaveOneOf(50, fillSegments(10));
        rig.reclaimer.requestCheckpoint();
        rig.advance(Duration.ofSeconds(2));
        rig.reclaimer.requestCheckpoint();

        // when everything is acknowledged while the first batch is being written
        for (int step = 0; step < 1000 && movedSoFar() == 0; step++) {
            rig.clock.advance(Duration.ofMillis(10));
            rig.thread.runOne();
            rig.loops.all().forEach(loop -> rig.loops.get(loop.index()).runOne());
        }
        assertThat(movedSoFar()).isPositive();
        left.forEach(HeldReference::acknowledge);
        rig.becomeOld();
        rig.becomeOld();

        // then
        assertThat(rig.table.totalLive()).isZero();
        assertThat(rig.journal.segments()).hasSize(1);
    }

    @Test
    void shouldReadNothingMoreOfASegmentThatWasDroppedBetweenTwoBatches() {
        // given a segment of which one loop writes its batch, and another loop is to have the next one
        List<HeldReference> left = leaveOneOf(51, fillSegments(10));
        for (int step = 0; step < 1000 && movedSoFar() == 0; step++) {
            if (step % 200 == 0) {
                rig.reclaimer.requestCheckpoint();
            }
            rig.clock.advance(Duration.ofMillis(10));
            rig.thread.runOne();
            rig.loops.all().forEach(loop -> rig.loops.get(loop.index()).runOne());
        }
        int segment = rig.queues.stream()
                .flatMap(queue -> queue.moved().stream())
                .mapToInt(message -> FilePlace.segment(message.position()))
                .findFirst()
                .orElseThrow();

        // when everything is acknowledged and the segment dropped before the loop answers
        left.forEach(HeldReference::acknowledge);
        for (int checkpoint = 0; checkpoint < 2; checkpoint++) {
            rig.reclaimer.requestCheckpoint();
            for (int step = 0; step < 40; step++) {
                rig.clock.advance(Duration.ofMillis(50));
                while (rig.thread.runOne()) {
                    // the next one, while the loops do nothing
                }
            }
        }
        boolean dropped = !rig.journal.has(segment);
        rig.advance(Duration.ofSeconds(10));

        // then
        assertThat(dropped).isTrue();
        assertThat(rig.failures).isEmpty();
        assertThat(rig.table.totalLive()).isZero();
        assertThat(rig.journal.segments()).hasSize(1);
    }

    @Test
    void shouldMoveOnceWhatTwoLoopsHaveFound() {
        // given
        List<HeldReference> left = leaveOneOf(50, fillSegments(10));
        rig.findsTwice = true;

        // when
        rig.becomeOld();
        rig.becomeOld();

        // then
        for (HeldQueue queue : rig.queues) {
            assertThat(queue.moved()).extracting(StoredMessage::position).doesNotHaveDuplicates();
        }
        assertThat(movedSoFar()).isPositive();
        assertThat(rig.table.totalLive()).isEqualTo(left.size());
    }

    @Test
    void shouldReportAMessageThatCannotBeReadOnceAndMoveNothingMore() {
        // given
        List<HeldReference> left = leaveOneOf(50, fillSegments(10));
        left.forEach(reference -> rig.journal.makeUnreadable(reference.position() + 3));

        // when
        rig.becomeOld();
        rig.advance(Duration.ofMinutes(5));

        // then
        assertThat(rig.failures).hasSize(1);
        assertThat(rig.statistics().movedMessages()).isZero();
        assertThat(rig.heldSegments()).allMatch(rig.journal::has);
    }

    @Test
    void shouldHaveDamagedMessagesGivenUpAndMoveTheOthers() {
        // given
        List<HeldReference> left = leaveOneOf(50, fillSegments(10));
        List<HeldReference> damaged = left.subList(0, 3);
        damaged.forEach(reference -> rig.journal.damage(reference.position() + 20, 4));
        int before = left.size();

        // when
        rig.becomeOld();
        rig.becomeOld();

        // then
        assertThat(rig.failures).isEmpty();
        assertThat(rig.queues.stream().mapToInt(HeldQueue::givenUp).sum()).isEqualTo(3);
        assertThat(rig.journal.segments()).hasSizeLessThanOrEqualTo(4);
        assertThat(rig.table.totalLive()).isEqualTo(before - 3);
    }

    @Test
    void shouldGoOnWhenAQueueFails() {
        // given
        List<HeldReference> left = leaveOneOf(51, fillSegments(10));
        HeldQueue failing = rig.queues.get(0);
        failing.failMoves(true);

        // when
        rig.becomeOld();
        rig.advance(Duration.ofSeconds(10));
        boolean othersMoved = !rig.queues.get(1).moved().isEmpty();
        failing.failMoves(false);
        rig.advance(Duration.ofMinutes(2));

        // then what could not be moved is moved later
        assertThat(othersMoved).isTrue();
        assertThat(failing.moved()).isNotEmpty();
        assertThat(rig.table.totalLive()).isEqualTo(left.size());
        assertThat(rig.journal.segments()).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void shouldTryAgainWhenTheLoopsDidNotAnswer() {
        // given
        leaveOneOf(50, fillSegments(10));
        rig.loopsAreSilent = true;
        rig.becomeOld();
        rig.advance(Duration.ofSeconds(10));
        long before = rig.statistics().movedMessages();

        // when
        rig.loopsAreSilent = false;
        rig.advance(Duration.ofMinutes(3));

        // then
        assertThat(before).isZero();
        assertThat(rig.statistics().movedMessages()).isPositive();
        assertThat(rig.journal.segments()).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void shouldMoveLessWhileTheDiskIsShort() {
        // given segments of which ten per cent are alive
        leaveOneOf(10, fillSegments(10));
        rig.diskShort = true;

        // when
        rig.becomeOld();
        rig.advance(Duration.ofMinutes(1));

        // then
        assertThat(rig.statistics().movedMessages()).isZero();
    }

    @Test
    void shouldMoveMoreThanIsLookedUpAtOnce() {
        // given
        List<HeldReference> left = leaveMany(StragglerMoves.FOUND_MAX + 100);

        // when
        rig.becomeOld();
        rig.becomeOld();

        // then
        assertThat(rig.searches).isEqualTo(2);
        assertThat(left).allMatch(reference -> FilePlace.segment(reference.position()) > 1);
        assertThat(rig.journal.has(1)).isFalse();
    }

    @Test
    void shouldNotLookUpTheSameAgainAtOnceWhenNoneCanBeMoved() {
        // given
        leaveMany(StragglerMoves.FOUND_MAX + 100);
        rig.queues.forEach(queue -> queue.failMoves(true));

        // when
        rig.becomeOld();
        rig.advance(Duration.ofSeconds(20));

        // then
        assertThat(rig.searches).isEqualTo(1);
        assertThat(rig.journal.has(1)).isTrue();
    }

    @Test
    void shouldGiveTheMessagesInTheirOrder() {
        // given
        leaveOneOf(20, fillSegments(10));

        // when
        rig.becomeOld();
        rig.becomeOld();

        // then
        for (HeldQueue queue : rig.queues) {
            List<StoredMessage> moved = queue.moved();
            for (int i = 1; i < moved.size(); i++) {
                long before = moved.get(i - 1).position();
                long position = moved.get(i).position();
                assertThat(FilePlace.segment(before) != FilePlace.segment(position) || before < position)
                        .isTrue();
            }
        }
    }

    /**
     * The store stays as small as what is alive in it, and some segments: up to five until the next checkpoint, after
     * which stragglers move, ten until two more are younger, and the two that are nobody's worry.
     */
    @ParameterizedTest
    @CsvSource({"1000000, 100000", "300000, 1000", "300000, 100"})
    void shouldStayBoundedWhileAFewMessagesAreNeverAcknowledged(int messages, int oneOf) {
        rig = new StoreRig(256 << 10, StoreRig.settings());
        long largest = 0;
        List<HeldReference> left = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            // given
            HeldReference reference =
                    rig.publish(32, rig.queues.get(i % rig.queues.size())).get(0);
            if (i % oneOf == 0) {
                left.add(reference);
            } else {
                reference.acknowledge();
            }
            // when
            if (i % 1000 == 0) {
                rig.advance(Duration.ofMillis(100));
                long bound = 2 * rig.heldBytes() + 18L * (256 << 10);
                largest = Math.max(largest, rig.journal.sizeBytes() - bound);
            }
        }

        // then
        assertThat(largest).as("bytes above the bound").isNotPositive();
        assertThat(rig.table.totalLive()).isEqualTo(left.size());
        rig.shouldHoldWhatWasPublished();
        rig.advance(Duration.ofMinutes(2));
        assertThat(rig.journal.sizeBytes()).isLessThanOrEqualTo(2 * rig.heldBytes() + 5L * (256 << 10));
    }

    /**
     * So many small messages are left in the first of several segments, the others of which are alive enough to stay.
     */
    private List<HeldReference> leaveMany(int count) {
        rig = new StoreRig(16 << 20, StoreRig.settings());
        HeldQueue queue = rig.queues.get(0);
        List<HeldReference> left = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            left.addAll(rig.publish(1, queue));
        }
        int keptIn = 1;
        while (rig.journal.current() < 8) {
            HeldReference large = rig.publish(4 << 20, queue).get(0);
            if (rig.journal.current() == keptIn) {
                large.acknowledge();
            }
            keptIn = rig.journal.current();
        }
        return left;
    }

    private int movedSoFar() {
        return rig.queues.stream().mapToInt(queue -> queue.moved().size()).sum();
    }

    private List<HeldReference> fillSegments(int count) {
        return fillSegments(count, 200);
    }

    private List<HeldReference> fillSegments(int count, int payloadBytes) {
        List<HeldReference> held = new ArrayList<>();
        int end = rig.journal.current() + count;
        int turn = 0;
        while (rig.journal.current() < end) {
            held.addAll(rig.publish(payloadBytes, rig.queues.get(turn++ % rig.queues.size())));
        }
        return held;
    }

    private List<HeldReference> leaveOneOf(int count, List<HeldReference> held) {
        List<HeldReference> left = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            if (i % count == count / 2) {
                left.add(held.get(i));
            } else {
                held.get(i).acknowledge();
            }
        }
        return left;
    }
}
