package dev.avocet.core.journal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.TermOverException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A commit waits for this disk and for the gate, in whatever order they come. */
class CommitGateTest {
    private static final long FIRST = CommitRig.FIRST_SEQUENCE;

    private final FakeJournal journal = new FakeJournal();
    private final AtomicLong confirmed = new AtomicLong(Position.BEGINNING);
    private CommitRig rig;

    @AfterEach
    void close() {
        confirmed.set(Long.MAX_VALUE);
        rig.commit().gateMoved();
        rig.close();
        assertThat(CommitRig.liveThreads()).isZero();
    }

    @Test
    void shouldForceAndHoldBackWhatIsNotConfirmed() throws JournalException {
        // given
        start(CommitMode.SYNC);
        submit(10);
        await().until(() -> journal.forcedRecords() == 10);
        assertThat(rig.completed()).isZero();

        // when
        confirm(FIRST + 3);

        // then
        await().until(() -> rig.completed() == 4);

        // when
        confirm(FIRST + 9);

        // then
        await().until(() -> rig.completed() == 10);
        assertThat(rig.commit().pendingBytes()).isZero();
    }

    @Test
    void shouldNotCompleteWhatIsConfirmedBeforeItIsDurable() throws JournalException {
        // given
        start(CommitMode.SYNC);
        journal.holdForces();
        submit(1);
        await().until(journal::isInForce);

        // when
        confirm(FIRST);

        // then
        assertThat(rig.completed()).isZero();
        journal.letForcesThrough();
        await().until(() -> rig.completed() == 1);
    }

    @Test
    void shouldForceOnWhileTheGateIsClosed() throws JournalException {
        // given
        start(CommitMode.SYNC);
        submit(1);
        await().until(() -> journal.forcedRecords() == 1);

        // when
        submit(100);

        // then
        await().until(() -> journal.forcedRecords() == 101);
        assertThat(rig.completed()).isZero();
        confirm(FIRST + 100);
        await().until(() -> rig.completed() == 101);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCompleteAllWhenTheGateMovesAllTheTime(CommitMode mode) throws JournalException {
        // given
        start(mode);
        rig.loops.forEach(loop -> loop.mayBeVolatile = mode == CommitMode.OS);

        // when
        for (int i = 0; i < 20_000; i++) {
            rig.submit(i % 3, i);
            confirm(FIRST + i);
        }

        // then
        await().until(() -> rig.completed() == 20_000);
        assertThat(rig.loops).allSatisfy(loop -> assertThat(loop.completed).isSorted());
    }

    @Test
    void shouldKeepEmptyBatchesInTheirTurn() throws JournalException {
        // given
        start(CommitMode.SYNC);
        Batch held = rig.submit(0, 1);
        AtomicLong order = new AtomicLong();
        Batch empty = new Batch(rig.loops.get(0).io, batch -> order.set(rig.completed()));
        rig.commit().submit(empty);
        await().until(() -> journal.forcedRecords() == 1);
        assertThat(rig.completed()).isZero();
        assertThat(order).hasValue(0);

        // when
        confirm(held.sequence());

        // then
        await().until(() -> rig.completed() == 1 && order.get() == 1);
    }

    @Test
    void shouldSayWhoTookTooLongWhenTheGateStaysClosedAtTheEnd() throws JournalException {
        // given
        rig = CommitRig.gated(journal, CommitMode.SYNC, Duration.ofMillis(50), confirmed::get);
        submit(1);
        await().until(() -> journal.forcedRecords() == 1);

        // when
        rig.commit().close();

        // then
        assertThat(rig.failures()).isEqualTo(1);
        assertThat(rig.failure()).hasMessageContaining("the other node took too long to confirm");
        assertThat(rig.completed()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellTheGateWhatIsThereAndWhatIsDurable(CommitMode mode) throws JournalException {
        // given
        AtomicLong appended = new AtomicLong();
        AtomicLong durable = new AtomicLong();
        journal.holdForces();
        rig = CommitRig.gated(journal, mode, Duration.ofSeconds(20), new CommitGate() {
            @Override
            public long confirmedPosition() {
                return confirmed.get();
            }

            @Override
            public void appended(long end, long last) {
                appended.set(end);
                assertThat(end).isEqualTo(endOf(last));
            }

            @Override
            public void durable(long end) {
                durable.set(end);
            }
        });
        rig.loops.forEach(loop -> loop.mayBeVolatile = mode == CommitMode.OS);

        // when
        submit(3);

        // then, as the thread that appends may be held in the force of the first one
        await().until(() -> appended.get() >= endOf(FIRST));
        assertThat(durable.get()).isLessThanOrEqualTo(mode == CommitMode.OS ? appended.get() : 0);
        journal.letForcesThrough();
        await().until(() -> durable.get() == endOf(FIRST + 2));
        assertThat(appended.get()).isEqualTo(endOf(FIRST + 2));
        assertThat(rig.completed()).isZero();
    }

    @Test
    void shouldCommitNothingOnceItIsAbandoned() throws JournalException {
        // given
        start(CommitMode.SYNC);
        submit(2);
        await().until(() -> journal.forcedRecords() == 2);

        // when
        rig.commit().abandon("another node leads");
        confirm(FIRST + 1);
        rig.commit().close();

        // then
        assertThat(rig.completed()).isZero();
        assertThat(rig.failure()).isInstanceOf(TermOverException.class).hasMessage("another node leads");
    }

    /** The position behind a record of the fake journal's first segment. */
    private static long endOf(long sequence) {
        return FilePlace.of(1, 64 + sequence - FIRST) + 1;
    }

    private void start(CommitMode mode) throws JournalException {
        rig = CommitRig.gated(journal, mode, Duration.ofSeconds(20), confirmed::get);
    }

    private void submit(int batches) {
        for (int i = 0; i < batches; i++) {
            rig.submit(i % 3, i);
        }
    }

    private void confirm(long sequence) {
        confirmed.set(endOf(sequence));
        rig.commit().gateMoved();
    }
}
