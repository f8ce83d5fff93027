package dev.avocet.core.journal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.JournalException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The two threads side by side: here even a little is forced by the {@code journal-commit} thread. */
class PipelinedCommitTest {
    private final FakeJournal journal = new FakeJournal();
    private CommitRig rig;

    @BeforeEach
    void start() throws JournalException {
        rig = CommitRig.alwaysPipelined(journal);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldForceAllThatCameMeanwhileAtOnce() {
        journal.holdForces();
        rig.submit(0, 0);
        await().until(journal::isInForce);

        for (int i = 1; i <= 500; i++) {
            rig.submit(i % 3, i);
        }
        await().until(() -> journal.appendedRecords() == 501);
        assertThat(rig.completed()).isZero();

        journal.letOneForceThrough();
        await().until(() -> journal.enteredForces() == 2);
        assertThat(rig.completed()).isEqualTo(1);

        journal.letOneForceThrough();
        await().until(() -> rig.completed() == 501);
        assertThat(journal.enteredForces()).isEqualTo(2);
        assertThat(rig.loops).extracting(loop -> loop.tasksGiven.get()).containsExactly(2, 1, 1);
    }

    @Test
    void shouldNotCompleteWhatAForceCoversThatReturnsAfterAnAppendHasFailed() {
        journal.holdForces();
        rig.submit(0, 1);
        await().until(journal::isInForce);
        journal.failAppend(1, new JournalException("no further"));
        rig.submit(0, 2);
        await().until(() -> rig.failures() == 1);

        journal.letForcesThrough();
        await().until(() -> CommitRig.liveThreads() == 0);

        assertThat(journal.forcedRecords()).isEqualTo(1);
        assertThat(rig.completed()).isZero();
    }

    @Test
    void shouldDropWhatWaitsWhenAForceFails() {
        journal.failForce(0, new JournalException("not on the disk"));
        journal.holdForces();
        rig.submit(0, 0);
        await().until(journal::isInForce);
        journal.holdAppends();
        for (int i = 0; i < 5; i++) {
            rig.submit(i % 3, i);
        }
        await().until(() -> journal.enteredAppends() == 2);

        journal.letForcesThrough();
        await().until(() -> rig.failures() == 1);
        journal.letAppendsThrough();
        await().until(() -> CommitRig.liveThreads() == 0);

        assertThat(rig.completed()).isZero();
        assertThat(journal.appendedRecords()).as("the one that was under way").isEqualTo(2);
        assertThat(rig.commit().statistics().snapshot().droppedBatches()).isEqualTo(4);
    }
}
