package dev.avocet.core.journal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordHeader;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
    private final FakeJournal journal = new FakeJournal();
    private CommitRig rig;

    @BeforeEach
    void start() throws JournalException {
        rig = CommitRig.started(journal);
    }

    @AfterEach
    void close() {
        rig.close();
        assertThat(CommitRig.liveThreads()).isZero();
    }

    @Test
    void shouldCompleteTheBatchesOfALoopInTheOrderOfTheirSubmission() {
        for (int i = 0; i < 3000; i++) {
            rig.submit(i % 3, i);
        }

        await().until(() -> rig.completed() == 3000);

        for (int loop = 0; loop < 3; loop++) {
            int first = loop;
            assertThat(rig.loops.get(loop).completed)
                    .containsExactlyElementsOf(IntStream.range(0, 1000)
                            .mapToObj(i -> first + 3 * i)
                            .toList());
        }
    }

    @Test
    void shouldCompleteNothingBeforeItsForceHasReturned() {
        journal.holdForces();
        rig.submit(0, 1);
        await().until(journal::isInForce);
        rig.submit(0, 2); // too late for this force

        assertThat(rig.completed()).isZero();

        journal.letOneForceThrough();
        await().until(() -> journal.enteredForces() == 2);
        assertThat(rig.completed()).isEqualTo(1);

        journal.letOneForceThrough();
        await().until(() -> rig.completed() == 2);
    }

    @Test
    void shouldKeepTheOrderOfLoopsThatSubmitAtTheSameTime() {
        List<BusyLoop> loops = IntStream.range(0, 4)
                .mapToObj(index -> new BusyLoop(index, 20_000, rig.commit(), journal))
                .toList();
        loops.forEach(BusyLoop::start);

        await().until(() -> loops.stream().allMatch(BusyLoop::isDone));

        assertThat(loops).extracting(BusyLoop::complaint).containsOnly("");
        assertThat(journal.appendedRecords()).isEqualTo(80_000);
        assertThat(journal.forcedRecords()).isEqualTo(80_000);
        assertThat(rig.commit().pendingBytes()).isZero();
    }

    @Test
    void shouldForceALittleWhereItWasAppended() {
        rig.submit(0, 1);
        await().until(() -> rig.completed() == 1);

        assertThat(journal.forcedOn()).isEqualTo("journal");
    }

    @Test
    void shouldAppendWhileMuchIsForced() {
        journal.holdAppends();
        journal.holdForces();
        submit(50);
        journal.letAppendsThrough();
        await().until(journal::isInForce);

        submit(500);
        await().until(() -> journal.appendedRecords() == 550);

        assertThat(rig.completed()).isZero();
        journal.letForcesThrough();
        await().until(() -> rig.completed() == 550);
        assertThat(journal.forcedOn()).isEqualTo("journal-commit");
        assertThat(journal.enteredForces()).isBetween(2, 3);
    }

    @Test
    void shouldStampRecordsWithEpochAndSequenceAndWhatIsDurable() {
        rig.submit(0, 5);
        await().until(() -> rig.completed() == 1);
        rig.submit(1, 6);
        await().until(() -> rig.completed() == 2);

        for (int i = 0; i < 2; i++) {
            byte[] record = journal.record(i);
            assertThat(RecordHeader.isValid(record, 0, record.length)).isTrue();
            assertThat(RecordHeader.epoch(record, 0)).isEqualTo(CommitRig.EPOCH);
            assertThat(RecordHeader.sequence(record, 0)).isEqualTo(CommitRig.FIRST_SEQUENCE + i);
            assertThat(RecordHeader.durableSequence(record, 0)).isEqualTo(CommitRig.FIRST_SEQUENCE + i - 1);
            assertThat(RecordHeader.entries(record, 0)).isEqualTo(1);
        }
    }

    @Test
    void shouldCallNothingDurableThatIsStillBeingForced() {
        journal.holdAppends();
        journal.holdForces();
        submit(20);
        journal.letAppendsThrough();
        await().until(journal::isInForce);
        submit(20);
        await().until(() -> journal.appendedRecords() == 40);

        assertThat(RecordHeader.durableSequence(journal.record(39), 0)).isEqualTo(CommitRig.FIRST_SEQUENCE - 1);
    }

    @Test
    void shouldTellTheBatchWhereItLies() {
        Batch first = rig.submit(0, 0);
        Batch second = rig.submit(0, 0);
        await().until(() -> rig.completed() == 2);

        assertThat(FilePlace.segment(first.position())).isEqualTo(1);
        assertThat(second.position()).isGreaterThan(first.position());
        assertThat(second.sequence()).isEqualTo(CommitRig.FIRST_SEQUENCE + 1);
    }

    @Test
    void shouldTellTheReferencesOfARecordBeforeItsBatchIsCompleted() {
        journal.holdForces();
        rig.submit(0, 3);

        await().until(journal::isInForce);
        assertThat(rig.appended).containsExactly("1:3");
        assertThat(rig.completed()).isZero();
    }

    @Test
    void shouldCompleteAnEmptyBatchInItsTurnAndWriteNothing() {
        journal.holdForces();
        rig.submit(0, 1);
        rig.commit()
                .submit(new Batch(
                        rig.loops.get(0).io, batch -> rig.loops.get(0).completed.add(-1)));
        await().until(journal::isInForce);
        assertThat(rig.completed()).isZero();

        journal.letForcesThrough();
        await().until(() -> rig.completed() == 2);

        assertThat(rig.loops.get(0).completed).containsExactly(1, -1);
        assertThat(journal.appendedRecords()).isEqualTo(1);
        assertThat(journal.enteredForces()).isEqualTo(1);
    }

    @Test
    void shouldCompleteTheOthersWhenOneCompletionFails() {
        journal.holdForces();
        rig.submit(0, 1);
        rig.commit().submit(new Batch(rig.loops.get(0).io, batch -> {
            throw new IllegalStateException("this one fails");
        }));
        rig.submit(0, 2);
        journal.letForcesThrough();

        await().untilAsserted(() ->
                assertThatThrownBy(() -> rig.loops.get(0).runAll()).hasMessage("this one fails"));
        await().until(() -> rig.completed() == 2);

        assertThat(rig.loops.get(0).completed).containsExactly(1, 2);
        assertThat(rig.failures()).isZero();
    }

    @Test
    void shouldSayHowManyBytesArePending() {
        journal.holdForces();
        Batch batch = rig.submit(0, 1);
        rig.submit(1, 1);
        assertThat(rig.commit().pendingBytes()).isEqualTo(2L * batch.buffer().length());

        journal.letForcesThrough();
        await().until(() -> rig.completed() == 2);

        assertThat(rig.commit().pendingBytes()).isZero();
    }

    @Test
    void shouldRefuseABatchThatNoSegmentCanHold() {
        Batch batch = new Batch(rig.loops.get(0).io, done -> {});
        batch.buffer().putRaw(new byte[journal.maxRecordBytes()], 0, journal.maxRecordBytes());
        batch.countEntry(1, 1);

        assertThatThrownBy(() -> rig.commit().submit(batch)).isInstanceOf(IllegalArgumentException.class);

        rig.submit(0, 1);
        await().until(() -> rig.completed() == 1);
    }

    @Test
    void shouldCountWhatItDoes() {
        journal.holdForces();
        Batch batch = rig.submit(0, 1);
        await().until(journal::isInForce);
        rig.submit(0, 2);
        rig.submit(1, 3);
        journal.letForcesThrough();
        await().until(() -> rig.completed() == 3);

        CommitSnapshot seen = rig.commit().statistics().snapshot();

        assertThat(seen.commits()).isEqualTo(2);
        assertThat(seen.records()).isEqualTo(3);
        assertThat(seen.entries()).isEqualTo(3);
        assertThat(seen.bytes()).isEqualTo(3L * batch.buffer().length());
        assertThat(seen.droppedBatches()).isZero();
        assertThat(seen.commitRecords().getMaxValue()).isEqualTo(2);
        assertThat(seen.commitRecords().getTotalCount()).isEqualTo(2);
        assertThat(seen.forceNs().getTotalCount()).isEqualTo(2);
        assertThat(seen.latencyNs().getTotalCount()).isEqualTo(3);
        assertThat(seen.lastLatencyNs()).isPositive();
        assertThat(rig.commit().statistics().snapshot().latencyNs().getTotalCount())
                .as("a look takes nothing away")
                .isEqualTo(3);
    }

    private void submit(int count) {
        for (int i = 0; i < count; i++) {
            rig.submit(i % 3, i);
        }
    }
}
