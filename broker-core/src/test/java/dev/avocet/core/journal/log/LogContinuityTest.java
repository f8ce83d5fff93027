package dev.avocet.core.journal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.DamageVisitor;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LogContinuityTest {
    private static final long SOMEWHERE = FilePlace.of(3, 800);

    private LogContinuity log = new LogContinuity(Position.BEGINNING, FilePlace::of, DamageVisitor.REFUSE);
    private long offset;

    @Test
    void shouldAcceptConsecutiveRecordsAcrossSegmentsAndLives() throws JournalException {
        // when, then
        segment(1);
        assertAccepted(1, 1, 0);
        assertAccepted(1, 2, 1);
        log.onEnd(100);
        segment(2);
        assertAccepted(1, 3, 1);
        log.onEnd(200);
        segment(3);
        log.onEnd(72);
        segment(4);
        assertAccepted(5, 4, 3);
        assertThat(log.result()).isEqualTo(new ScanResult(4, 4, 5, 0));
    }

    @Test
    void shouldSkipWhatFollowsATornTailUntilALaterSegmentGoesOn() throws JournalException {
        // given
        segment(1);
        assertAccepted(1, 1, 0);
        log.onDamage(100, "torn");

        // when, then
        assertSkipped(1, 3, 1);
        segment(2);
        assertSkipped(1, 4, 1);
        segment(3);
        log.onDamage(72, "torn too");
        segment(4);
        assertAccepted(2, 2, 1);
        assertAccepted(2, 3, 2);
        assertThat(log.result()).isEqualTo(new ScanResult(3, 3, 2, 1));
    }

    @Test
    void shouldCountATornTailForEachTimeTheLogGoesOn() throws JournalException {
        // when
        for (int life = 1; life <= 5; life++) {
            segment(life);
            assertAccepted(life, life, life - 1);
            log.onDamage(500, "torn");
        }

        // then
        assertThat(log.result()).isEqualTo(new ScanResult(5, 5, 5, 5));
    }

    @Test
    void shouldNotTakeWhatStandsBehindATornRecordForTheNextOne() throws JournalException {
        // given
        segment(1);
        assertAccepted(1, 1, 0);
        log.onDamage(100, "torn");

        // when, then: the life that was torn cannot go on in the same segment
        assertSkipped(1, 2, 1);
    }

    @Test
    void shouldNameTheFirstDamageWhenALaterRecordShowsThatItHadBeenDurable() throws JournalException {
        // given
        segment(1);
        assertAccepted(1, 1, 0);
        log.onDamage(100, "first");
        assertSkipped(1, 4, 1);
        segment(2);
        log.onDamage(300, "second");

        // when, then
        assertDamaged(1, 100, 1, 9, 2);
    }

    @Test
    void shouldStopWhereARecordIsMissing() throws JournalException {
        // given
        segment(1);
        assertAccepted(1, 1, 0);
        log.onEnd(100);
        segment(2);

        // when, then
        assertDamaged(1, 100, 2, 3, 2);
    }

    @Test
    void shouldStopWhereTheFirstRecordsAreMissing() throws JournalException {
        // given
        segment(1);
        log.onEnd(72);
        segment(2);

        // when, then
        assertDamaged(1, 72, 1, 50, 49);
    }

    @Test
    void shouldStopAtASequenceThatJumps() throws JournalException {
        // given
        segment(1);
        assertAccepted(1, 1, 0);
        offset = 444;

        // when, then
        assertDamaged(1, 445, 1, 3, 2);
    }

    @Test
    void shouldSkipRecordsOfAnEarlierEpoch() throws JournalException {
        // given
        segment(1);
        assertAccepted(4, 1, 0);

        // when, then
        assertSkipped(3, 2, 1);
    }

    @Test
    void shouldGoOnBehindSegmentsThatWereDropped() throws JournalException {
        // given
        segment(3);
        assertAccepted(1, 100, 90);
        log.onEnd(300);

        // when, then
        segment(7);
        assertAccepted(1, 400, 390);
        segment(9);
        assertAccepted(2, 900, 899);
        assertThat(log.result()).isEqualTo(new ScanResult(3, 900, 2, 0));
    }

    @Test
    void shouldGoOnBehindATornTailAndTheDroppedSegmentThatFollowedIt() throws JournalException {
        // given
        segment(1);
        assertAccepted(1, 1, 0);
        log.onDamage(100, "torn");

        // when, then: the second life has begun in segment 2
        segment(3);
        assertAccepted(2, 50, 49);
    }

    @Test
    void shouldStopAtDamageOfALifeThatWentOnBehindDroppedSegments() throws JournalException {
        // given
        segment(1);
        assertAccepted(1, 1, 0);
        log.onDamage(100, "damaged");
        segment(3);

        // when, then
        assertDamaged(1, 100, 1, 50, 49);
    }

    @Test
    void shouldStopWhenTheFirstRecordLeftIsDamaged() throws JournalException {
        // given the segments before are dropped
        segment(3);
        log.onDamage(72, "damaged");
        assertSkipped(4, 50, 47);
        assertSkipped(4, 51, 48);

        // when, then
        assertDamaged(3, 72, 4, 52, 49);
    }

    @Test
    void shouldGoOnBehindALifeOfWhichNothingIsLeft() throws JournalException {
        // given the segments before are dropped
        segment(3);
        log.onDamage(72, "torn");
        assertSkipped(4, 50, 48);
        assertThat(log.result()).isEqualTo(new ScanResult(0, 0, 4, 1));

        // when, then
        segment(4);
        assertAccepted(5, 49, 48);
        assertThat(log.result()).isEqualTo(new ScanResult(1, 49, 5, 1));
    }

    @Test
    void shouldStopWhenNoRecordIsWhereTheScanStarts() throws JournalException {
        // given
        log = new LogContinuity(SOMEWHERE, FilePlace::of, DamageVisitor.REFUSE);
        segment(3);

        // when, then
        assertThatThrownBy(() -> log.onEnd(800)).isInstanceOf(CorruptJournalException.class);
        assertThatThrownBy(() -> log.onDamage(800, "damaged")).isInstanceOf(CorruptJournalException.class);
    }

    @Test
    void shouldStopAtAMissingSegmentBehindAPosition() throws JournalException {
        // given
        log = new LogContinuity(SOMEWHERE, FilePlace::of, DamageVisitor.REFUSE);
        segment(3);
        assertAccepted(1, 30, 29);

        // when, then
        assertThatThrownBy(() -> segment(5))
                .isInstanceOf(CorruptJournalException.class)
                .hasMessageContaining("segment 4");
    }

    private void segment(int number) throws JournalException {
        log.onSegment(number, fileOf(number));
    }

    private void assertAccepted(int epoch, long sequence, long durable) throws JournalException {
        assertThat(log.accepts(++offset, epoch, sequence, durable)).isTrue();
    }

    private void assertSkipped(int epoch, long sequence, long durable) throws JournalException {
        assertThat(log.accepts(++offset, epoch, sequence, durable)).isFalse();
    }

    private void assertDamaged(int segment, long at, int epoch, long sequence, long durable) {
        assertThatThrownBy(() -> log.accepts(++offset, epoch, sequence, durable))
                .isInstanceOfSatisfying(CorruptJournalException.class, damage -> {
                    assertThat(damage.file()).isEqualTo(fileOf(segment).toString());
                    assertThat(damage.offset()).isEqualTo(at);
                });
    }

    private static Path fileOf(int segment) {
        return Path.of("segment-" + segment);
    }
}
