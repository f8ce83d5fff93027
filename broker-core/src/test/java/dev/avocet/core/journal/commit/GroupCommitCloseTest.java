package dev.avocet.core.journal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordHeader;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupCommitCloseTest {
    private final FakeJournal journal = new FakeJournal();
    private CommitRig rig;

    @AfterEach
    void close() {
        rig.close();
        await().until(() -> CommitRig.liveThreads() == 0);
    }

    @Test
    void shouldCommitAllThatWasSubmitted() throws JournalException {
        rig = CommitRig.started(journal);
        journal.holdAppends();
        for (int i = 0; i < 1000; i++) {
            rig.submit(i % 3, i);
        }

        rig.close();

        assertThat(rig.completed()).isEqualTo(1000);
        assertThat(rig.commit().pendingBytes()).isZero();
        assertThat(CommitRig.liveThreads()).isZero();
        assertThat(rig.failures()).isZero();
    }

    @Test
    void shouldDropWhatComesAfterwards() throws JournalException {
        rig = CommitRig.started(journal);
        rig.close();

        rig.submit(0, 1);

        assertThat(rig.completed()).isZero();
        assertThat(rig.commit().statistics().snapshot().droppedBatches()).isEqualTo(1);
    }

    @Test
    void shouldHurryWhoPreparesTheNextSegment() throws JournalException {
        journal.hurriesOnly();
        rig = CommitRig.started(journal);
        await().until(() -> journal.sparePreparedOn() != null);

        rig.close();

        assertThat(CommitRig.liveThreads()).isZero();
    }

    @Test
    void shouldBearLoopsThatAreGone() throws JournalException {
        rig = CommitRig.started(journal);
        journal.holdForces();
        rig.submit(0, 1);
        rig.submit(1, 2);
        rig.loops.get(0).gone = true;

        rig.close();

        assertThat(rig.loops.get(0).completed).isEmpty();
        assertThat(rig.completed()).isEqualTo(1);
        assertThat(rig.failures()).isZero();
        assertThat(rig.commit().pendingBytes()).isZero();
    }

    @Test
    void shouldNotWaitForADiskThatHangs() throws JournalException {
        rig = new CommitRig(journal, CommitMode.SYNC, Duration.ofMillis(50));
        rig.commit().start();
        journal.holdForces();
        rig.submit(0, 1);

        rig.commit().close();

        assertThat(rig.failures()).isEqualTo(1);
        assertThat(rig.failure()).hasMessageContaining("too long");
        journal.letForcesThrough();
        await().until(() -> CommitRig.liveThreads() == 0);
        assertThat(rig.completed()).isZero();
    }

    @Test
    void shouldCompleteWithoutForceWhenTheOperatingSystemIsTrusted() throws JournalException {
        rig = new CommitRig(journal, CommitMode.OS);
        rig.loops.forEach(loop -> loop.mayBeVolatile = true);
        rig.commit().start();

        for (int i = 0; i < 300; i++) {
            rig.submit(i % 3, i);
        }
        await().until(() -> rig.completed() == 300);

        assertThat(journal.enteredForces()).isZero();
        assertThat(RecordHeader.durableSequence(journal.record(299), 0)).isEqualTo(CommitRig.FIRST_SEQUENCE - 1);

        rig.close();
        assertThat(journal.forcedRecords()).isEqualTo(300);
    }
}
