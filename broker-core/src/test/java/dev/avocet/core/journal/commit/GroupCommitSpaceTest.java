package dev.avocet.core.journal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalFullException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupCommitSpaceTest {
    private final FakeJournal journal = new FakeJournal(10);
    private CommitRig rig;

    @BeforeEach
    void start() throws JournalException {
        rig = CommitRig.started(journal);
        await().until(journal::hasSpare);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldMakeRoomForTheNextSegmentOnAThreadOfItsOwn() {
        submit(11); // the spare is in use now

        await().until(journal::hasSpare);

        assertThat(journal.spareTries()).isEqualTo(2);
        assertThat(journal.sparePreparedOn()).isEqualTo("journal-space");
        assertThat(journal.beganOn()).isEqualTo("journal");
        assertThat(rig.commit().acceptsMessages()).isTrue();
    }

    @Test
    void shouldRefuseMessagesWhileThereIsNoRoomForTheNextSegment() {
        journal.hasRoom(false);
        submit(11);
        await().until(() -> !rig.commit().acceptsMessages());

        submit(9); // acknowledgements still come through
        int tries = journal.spareTries();
        await().until(() -> journal.spareTries() > tries);
        assertThat(rig.commit().acceptsMessages()).isFalse();

        journal.hasRoom(true);
        await().until(() -> rig.commit().acceptsMessages());
        submit(25);

        assertThat(rig.accepted).containsExactly(false, true);
        assertThat(rig.failures()).isZero();
    }

    @Test
    void shouldFailWhenTheReserveIsUsedUpAsWell() {
        journal.hasRoom(false);
        submit(20);
        rig.submit(0, 0);

        await().until(() -> rig.failures() == 1);

        assertThat(rig.failure()).isInstanceOf(JournalFullException.class);
    }

    @Test
    void shouldRefuseMessagesWhileTheDiskIsTooFull() {
        rig.freeBytes = CommitRig.FREE_BYTES_MIN - 1;
        await().until(() -> !rig.commit().acceptsMessages());

        submit(5);

        rig.freeBytes = CommitRig.FREE_BYTES_MIN * 2;
        await().until(() -> rig.commit().acceptsMessages());
        assertThat(rig.accepted).containsExactly(false, true);
    }

    @Test
    void shouldNotGoBackAndForthAtTheLimit() {
        rig.freeBytes = CommitRig.FREE_BYTES_MIN;
        awaitLooks();
        assertThat(rig.commit().acceptsMessages()).isTrue();

        rig.freeBytes = CommitRig.FREE_BYTES_MIN - 1;
        await().until(() -> !rig.commit().acceptsMessages());
        rig.freeBytes = CommitRig.FREE_BYTES_MIN * 5 / 4 - 1;
        awaitLooks();
        assertThat(rig.commit().acceptsMessages()).isFalse();

        rig.freeBytes = CommitRig.FREE_BYTES_MIN * 5 / 4;
        await().until(() -> rig.commit().acceptsMessages());
        assertThat(rig.accepted).containsExactly(false, true);
    }

    private void awaitLooks() {
        int before = rig.looks();
        await().until(() -> rig.looks() > before + 1);
    }

    private void submit(int count) {
        int before = rig.completed();
        for (int i = 0; i < count; i++) {
            rig.submit(i % 3, 0);
        }
        await().until(() -> rig.completed() == before + count);
    }
}
