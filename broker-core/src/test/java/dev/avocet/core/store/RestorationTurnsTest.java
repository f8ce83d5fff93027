package dev.avocet.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.store.image.MadeUpRecords;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.transaction.TransactionLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much of a backlog one task of a loop puts back at the start of a broker. */
final class RestorationTurnsTest {
    private static final int BACKLOG = 300_000;
    private static final int MOST = 5_000;

    @TempDir
    private Path directory;

    private final Clock clock = new SystemClock();
    private final MemoryGuard memory = new MemoryGuard();
    private @Nullable Thread thread;
    private final ThreadFactory threads = task -> thread = new Thread(task, "loop");
    private final ExecutorService executor = Executors.newSingleThreadExecutor(threads);
    private final IoLoop loop = new IoLoop(
            0, task -> executor.execute(() -> run(task)), () -> Thread.currentThread() == thread, clock, memory);

    private volatile @Nullable Broker broker;
    private volatile int most;
    private volatile long longestNs;

    @AfterEach
    void end() {
        executor.shutdown();
    }

    @Test
    void shouldFillAQueueInTurns() throws Exception {
        // given
        writeBacklog();
        Store store = new Store(
                open(),
                new DiskStorage(),
                new StoreOptions(
                        directory,
                        CommitMode.SYNC,
                        64 << 20,
                        new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        ReclaimSettings.DEFAULT),
                List.of(),
                NoteState::new,
                memory,
                clock,
                new StoreListener() {
                    @Override
                    public void onStoreFailed(Throwable cause) {
                        throw new AssertionError(cause);
                    }

                    @Override
                    public void onMessagesAccepted(boolean accepted, String lack) {}
                });
        store.recover();
        store.start(List.of(loop));

        // when
        Broker made = new Broker(BrokerOptions.DEFAULT, TransactionLimits.DEFAULT, List.of(loop), store);
        broker = made;
        store.restoreInto(made.storedParts());

        // then
        System.out.printf(
                "at most %d references, or %.2f ms, in a task%n",
                most, longestNs / (double) TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(waiting(made)).isEqualTo(BACKLOG);
        assertThat(most).isPositive().isLessThan(MOST);
        store.close();
    }

    private void writeBacklog() throws IOException {
        FileJournal journal = open();
        journal.begin(1);
        MadeUpRecords out = new MadeUpRecords(journal, journal::append, 16, clock);
        out.session(1);
        out.session(2);
        for (int i = 1; i <= BACKLOG; i++) {
            out.message("topic", 1, i);
        }
        out.flush();
        journal.force();
        journal.close();
    }

    private FileJournal open() throws IOException {
        return FileJournal.open(new DiskStorage(), directory.resolve("journal"), 64 << 20);
    }

    private void run(Runnable task) {
        Broker present = broker;
        int before = present == null ? 0 : waiting(present);
        long beganNs = clock.nanoTime();
        task.run();
        if (present != null) {
            longestNs = Math.max(longestNs, clock.nanoTime() - beganNs);
            most = Math.max(most, waiting(present) - before);
        }
    }

    private static int waiting(Broker broker) {
        return broker.sessions().all().stream()
                .flatMap(session -> session.subscriptions().stream())
                .map(Subscription::queue)
                .mapToInt(queue -> queue.depth())
                .sum();
    }
}
