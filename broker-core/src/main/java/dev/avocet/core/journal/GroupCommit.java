package dev.avocet.core.journal;

import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings batches of all event loops into one journal and tells each loop what is durable. Two threads: {@code journal}
 * appends whatever has come, {@code journal-commit} forces whatever was appended. Under load appending never waits for
 * forcing, so the batches of one force grow with the load; when a little comes alone, {@code journal} forces it itself,
 * which saves the way to the other thread. Completions go back to each loop in one task per commit. A third thread,
 * {@code journal-space}, keeps room for the next segment and watches the disk.
 *
 * <p>Errors: after any failure of {@link Journal#append} or {@link Journal#force} nothing more is completed, what is
 * submitted is dropped and counted, the listener hears of it once, and the threads end.
 */
public final class GroupCommit implements AutoCloseable {
    private final Journal journal;
    private final CommitMode mode;
    private final int epoch;
    private final JournalLimits limits;
    private final Clock clock;
    private final Fuse fuse;
    private final CommitStatistics statistics = new CommitStatistics();
    private final CommitStage commits;
    private final AppendStage appends;
    private final SpaceWatch space;
    private final AtomicLong submittedBytes = new AtomicLong();
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final List<Thread> committing = new ArrayList<>();
    private final List<Thread> others = new ArrayList<>();

    /**
     * @param journal scanned, not begun; stays the caller's, who closes it after this
     * @param epoch of this life, more than that of any record in the journal
     * @param nextSequence of the first record, more than that of any record in the journal; {@link Journal#begin} makes
     *     all before it durable
     * @param disk where the journal's files are
     */
    public GroupCommit(
            Journal journal,
            CommitMode mode,
            int epoch,
            long nextSequence,
            JournalLimits limits,
            CommitListener listener,
            DiskSpace disk,
            Clock clock) {
        this(journal, mode, epoch, nextSequence, limits, listener, disk, clock, AppendStage.FORCED_HERE_BATCHES_MAX);
    }

    /**
     * @param forcedHereBatchesMax up to so many batches are forced by the {@code journal} thread; 0 for always by the
     * other one
     */
    GroupCommit(
            Journal journal,
            CommitMode mode,
            int epoch,
            long nextSequence,
            JournalLimits limits,
            CommitListener listener,
            DiskSpace disk,
            Clock clock,
            int forcedHereBatchesMax) {
        this.journal = journal;
        this.mode = mode;
        this.epoch = epoch;
        this.limits = limits;
        this.clock = clock;
        fuse = new Fuse(listener::onFailure);
        commits = new CommitStage(journal, clock, statistics, fuse, nextSequence - 1);
        space = new SpaceWatch(journal, disk, limits, listener, fuse);
        appends = new AppendStage(
                journal, mode, epoch, nextSequence, listener, fuse, commits, space::wake, forcedHereBatchesMax);
    }

    /** Begins the journal, then takes batches. Once; blocks on the disk. */
    public void start() throws JournalException {
        committing.add(inThread("journal", () -> {
            if (begin()) {
                append();
            }
        }));
        try {
            begun.join();
        } catch (CompletionException e) {
            throw new JournalException(
                    "the journal could not be begun: " + e.getCause().getMessage(), e.getCause());
        }
        if (mode == CommitMode.SYNC) {
            committing.add(inThread("journal-commit", commits::run));
        }
        others.add(inThread("journal-space", space::run));
    }

    /** Hands a batch over; an empty one is completed in its turn, too. The loop of the batch; never blocks. */
    public void submit(Batch batch) {
        if (batch.lengthBytes() > journal.maxRecordBytes()) {
            throw new IllegalArgumentException(
                    "a batch of " + batch.lengthBytes() + " bytes, of at most " + journal.maxRecordBytes());
        }
        if (fuse.isBlown() || appends.isClosing()) {
            statistics.onDropped(1);
            return;
        }
        if (!batch.isEmpty()) {
            submittedBytes.getAndAdd(batch.lengthBytes());
        }
        batch.submitted(clock.nanoTime());
        appends.submit(batch);
    }

    /** The largest batch, room for the header included. */
    public int maxRecordBytes() {
        return journal.maxRecordBytes();
    }

    /** Bytes submitted and not yet completed. Any thread. */
    public long pendingBytes() {
        long completed = statistics.completedBytes(); // first, so that the difference is never negative
        return submittedBytes.get() - completed;
    }

    /**
     * False while there is no room for another segment, or the disk is too full: no further messages should be
     * submitted.
     */
    public boolean acceptsMessages() {
        return space.acceptsMessages();
    }

    public CommitStatistics statistics() {
        return statistics;
    }

    /**
     * Commits what was submitted, then stops the threads. When the disk takes longer than
     * {@link JournalLimits#closeTimeout} that is a failure: what is pending then is never completed.
     */
    @Override
    public void close() {
        appends.close();
        space.close();
        long deadlineNs = clock.nanoTime() + limits.closeTimeout().toNanos();
        joinAll(committing, deadlineNs);
        if (committing.stream().anyMatch(Thread::isAlive)) {
            fail(new JournalException("the disk took too long to write what was left at the end"));
        }
        joinAll(others, deadlineNs);
    }

    private void joinAll(List<Thread> threads, long deadlineNs) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            interrupted |= thread != Thread.currentThread() && join(thread, deadlineNs);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits in spite of an interrupt, and says whether there was one. */
    private boolean join(Thread thread, long deadlineNs) {
        boolean interrupted = false;
        long leftMs = 1;
        while (thread.isAlive() && leftMs > 0) {
            leftMs = (deadlineNs - clock.nanoTime()) / 1_000_000;
            try {
                thread.join(Math.max(1, leftMs));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    private boolean begin() {
        try {
            journal.begin(epoch);
            return begun.complete(null);
        } catch (Throwable e) { // goes to the thread that waits in start
            begun.completeExceptionally(e);
            return false;
        }
    }

    private void append() throws JournalException {
        try {
            appends.run();
            if (mode == CommitMode.OS && !fuse.isBlown()) {
                journal.force(); // a good end survives the loss of power, too
            }
            commits.end();
        } finally {
            statistics.onDropped(appends.dropRest());
        }
    }

    private void fail(Throwable cause) {
        try {
            fuse.blow(cause);
        } finally {
            appends.wake();
            commits.wake();
            space.wake();
        }
    }

    private Thread inThread(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (Throwable e) { // whatever it is, nothing may be acknowledged any more
                        fail(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** What a thread does. */
    @FunctionalInterface
    private interface Task {
        void run() throws JournalException;
    }
}
