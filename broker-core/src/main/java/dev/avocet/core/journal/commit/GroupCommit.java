package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.TermOverException;
import dev.avocet.core.journal.disk.Fuse;
import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Brings batches of all event loops into one journal and tells each loop what is durable. Two threads: {@code journal}
 * appends the records that have come, {@code journal-commit} forces those that were appended. Under load appending
 * never waits for forcing, so the batches of one force grow with the load; when a little comes alone, {@code journal}
 * forces it itself, which saves the way to the other thread. Completions go back to each loop in one task per commit. A
 * third thread, {@code journal-space}, keeps room for the next segment and watches the disk.
 *
 * <p>Errors: after any failure of {@link Journal#append} or {@link Journal#force} nothing more is completed, what is
 * submitted is dropped and counted, the listener hears of it once, and the threads end.
 */
public final class GroupCommit implements Commits {
    private final Journal journal;
    private final CommitMode mode;
    private final int epoch;
    private final JournalLimits limits;
    private final Clock clock;
    private final Fuse fuse;
    private final CommitGate gate;
    private final CommitPipeline pipeline;
    private final CommitStage commits;
    private final AppendStage appends;
    private final SpaceWatch space;
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final List<Thread> committing = new ArrayList<>();
    private final List<Thread> others = new ArrayList<>();

    /** Commits of a broker that stands alone. */
    public GroupCommit(CommitSetup setup) {
        this(setup, CommitGate.OPEN);
    }

    /** @param gate what a commit waits for beside this disk */
    public GroupCommit(CommitSetup setup, CommitGate gate) {
        this(setup, gate, AppendStage.FORCED_HERE_BATCHES_MAX);
    }

    /**
     * @param forcedHereBatchesMax up to so many batches are forced by the {@code journal} thread; 0 for always by the
     *     other one
     */
    GroupCommit(CommitSetup setup, CommitGate gate, int forcedHereBatchesMax) {
        journal = setup.journal();
        mode = setup.mode();
        epoch = setup.epoch();
        limits = setup.limits();
        clock = setup.clock();
        this.gate = gate;
        fuse = new Fuse(setup.listener()::onFailure);
        space = new SpaceWatch(journal, setup.disk(), limits, setup.listener(), fuse);
        pipeline = new CommitPipeline(setup, gate, fuse, space::wake, forcedHereBatchesMax);
        commits = pipeline.commits;
        appends = pipeline.appends;
    }

    @Override
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
        if (mode == CommitMode.SYNC || gate != CommitGate.OPEN) {
            committing.add(inThread("journal-commit", commits::run));
        }
        others.add(inThread("journal-space", space::run));
    }

    @Override
    public void submit(Batch batch) {
        pipeline.submit(batch);
    }

    @Override
    public int maxRecordBytes() {
        return pipeline.maxRecordBytes();
    }

    @Override
    public long pendingBytes() {
        return pipeline.pendingBytes();
    }

    @Override
    public boolean acceptsMessages() {
        return space.acceptsMessages();
    }

    @Override
    public boolean isAttended() {
        return gate.isAttended();
    }

    @Override
    public void gateMoved() {
        try {
            commits.gateMoved();
        } catch (Throwable e) { // as in our own threads: nothing may be acknowledged any more
            fail(e);
        }
    }

    @Override
    public CommitStatistics statistics() {
        return pipeline.statistics;
    }

    @Override
    public void abandon(String why) {
        fail(new TermOverException(why));
    }

    /**
     * Commits what was submitted, then stops the threads. When the disk, or the gate, takes longer than
     * {@link JournalLimits#closeTimeout} that is a failure: what is pending then is never completed.
     */
    @Override
    public void close() {
        appends.close();
        space.close();
        long deadlineNs = clock.nanoTime() + limits.closeTimeout().toNanos();
        joinAll(committing, deadlineNs);
        if (committing.stream().anyMatch(Thread::isAlive)) {
            fail(new JournalException(
                    commits.isHeldBack()
                            ? "the other node took too long to confirm what was left at the end"
                            : "the disk took too long to write what was left at the end"));
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
            pipeline.dropRest();
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
