package dev.avocet.core.journal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalFullException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupCommitFailureTest {
    private final FakeJournal journal = new FakeJournal();
    private final CommitRig rig = new CommitRig(journal, CommitMode.SYNC);

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void shouldCompleteNothingFromAFailedAppendOn(int failing) throws JournalException {
        JournalException broken = new JournalException("no further");
        journal.failAppend(failing, broken);
        rig.commit().start();

        submitOneByOne(failing);
        rig.submit(0, 99);
        awaitEnd();

        assertThat(rig.failure()).isSameAs(broken);
        assertThat(rig.completed()).isEqualTo(failing);
        assertDropsWhatComes();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void shouldCompleteNothingFromAFailedForceOn(int failing) throws JournalException {
        JournalException broken = new JournalException("not on the disk");
        journal.failForce(failing, broken);
        rig.commit().start();

        submitOneByOne(failing);
        rig.submit(0, 99);
        awaitEnd();

        assertThat(rig.failure()).isSameAs(broken);
        assertThat(rig.completed()).isEqualTo(failing);
        assertDropsWhatComes();
    }

    @Test
    void shouldTreatAnErrorOfTheMachineAsAFailure() throws JournalException {
        InternalError fault = new InternalError("a fault occurred in an unsafe memory access");
        journal.failAppend(0, fault);
        rig.commit().start();
        rig.submit(0, 1);
        awaitEnd();

        assertThat(rig.failure()).isSameAs(fault);
    }

    @Test
    void shouldTreatAFullReserveAsAFailure() throws JournalException {
        journal.failAppend(0, new JournalFullException("not even the reserve is left"));
        rig.commit().start();
        rig.submit(0, 1);
        awaitEnd();

        assertThat(rig.failure()).isInstanceOf(JournalFullException.class);
        assertThat(rig.completed()).isZero();
    }

    @Test
    void shouldNotStartWhenTheJournalCannotBegin() {
        journal.failBegin(new JournalException("no directory"));

        assertThatThrownBy(rig.commit()::start)
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("no directory");

        await().until(() -> CommitRig.liveThreads() == 0);
        assertThat(rig.failures()).as("who starts it knows").isZero();
    }

    private void submitOneByOne(int count) {
        for (int i = 0; i < count; i++) {
            rig.submit(i % 3, i);
            int done = i + 1;
            await().until(() -> rig.completed() == done);
        }
    }

    private void awaitEnd() {
        await().until(() -> CommitRig.liveThreads() == 0);
        assertThat(rig.failures()).isEqualTo(1);
    }

    private void assertDropsWhatComes() {
        int appended = journal.appendedRecords();
        int completed = rig.completed();
        long before = rig.commit().statistics().snapshot().droppedBatches();
        rig.submit(1, 100);
        rig.submit(2, 101);
        rig.close();
        assertThat(rig.commit().statistics().snapshot().droppedBatches()).isEqualTo(before + 2);
        assertThat(journal.appendedRecords()).isEqualTo(appended);
        assertThat(rig.completed()).isEqualTo(completed);
        assertThat(rig.failures()).isEqualTo(1);
    }
}
