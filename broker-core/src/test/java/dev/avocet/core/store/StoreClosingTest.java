package dev.avocet.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.commit.GroupCommit;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.transaction.TransactionLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a store ends whose records have to be confirmed by another node, which is away. */
final class StoreClosingTest {
    private static final int SEGMENT_BYTES = 1 << 20;

    /** Less than a checkpoint waits for an answer, and than the end waits for a checkpoint. */
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private final Clock clock = new SystemClock();
    private final MemoryGuard memory = new MemoryGuard();
    private @Nullable Thread thread;
    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(task -> thread = new Thread(task, "loop"));
    private final IoLoop loop = new IoLoop(0, executor, () -> Thread.currentThread() == thread, clock, memory);
    private final AbsentNode other = new AbsentNode();

    @AfterEach
    void end() {
        executor.shutdown();
    }

    @Test
    void shouldTakeNoLastCheckpointThatNothingWouldCommit() throws Exception {
        // given
        Store store = open(ReclaimSettings.DEFAULT);

        // when
        other.isAttended = false;

        // then
        shouldCloseSoon(store);
    }

    @Test
    void shouldGiveUpTheCheckpointThatIsBeingTakenAndIsNotCommitted() throws Exception {
        // given
        Store store = open(new ReclaimSettings(Duration.ofMillis(1), 1, 0, 1, Duration.ofSeconds(1)));
        await("the first record, and the mark of a checkpoint").atMost(SOON).until(() -> other.records > 1);

        // when
        other.isAttended = false;

        // then
        shouldCloseSoon(store);
    }

    private static void shouldCloseSoon(Store store) {
        CompletableFuture<Void> closing = CompletableFuture.runAsync(store::close);
        await("the store is closed").atMost(SOON).until(closing::isDone);
        assertThat(closing).isCompleted();
    }

    private Store open(ReclaimSettings reclaim) throws IOException {
        Store store = new Store(
                FileJournal.open(new DiskStorage(), directory.resolve("journal"), SEGMENT_BYTES),
                new DiskStorage(),
                new StoreOptions(
                        directory,
                        CommitMode.SYNC,
                        SEGMENT_BYTES,
                        new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        reclaim),
                List.of(),
                NoteState::new,
                memory,
                clock,
                new Silence(),
                setup -> new GroupCommit(setup, other));
        store.recover();
        store.start(List.of(loop));
        Broker broker = new Broker(BrokerOptions.DEFAULT, TransactionLimits.DEFAULT, List.of(loop), store);
        store.restoreInto(broker.storedParts());
        return store;
    }

    /** Confirms nothing. */
    private static final class AbsentNode implements CommitGate {
        private volatile boolean isAttended = true;
        private volatile long records;

        @Override
        public long confirmedPosition() {
            return 0;
        }

        @Override
        public boolean isAttended() {
            return isAttended;
        }

        @Override
        public void appended(long end, long last) {
            records = last;
        }
    }

    private static final class Silence implements StoreListener {
        @Override
        public void onStoreFailed(Throwable cause) {
            // what the node that is away would have confirmed is pending at the end, and that is a failure
        }

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {}
    }
}
