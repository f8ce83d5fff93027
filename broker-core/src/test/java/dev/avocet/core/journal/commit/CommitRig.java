package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.disk.DiskSpace;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A group commit over a {@link FakeJournal} with loops that the test's own thread runs, and everything that the group
 * commit has told anybody. Its batches have one entry: their number.
 */
final class CommitRig implements AutoCloseable, CommitListener, DiskSpace {
    static final int EPOCH = 7;
    static final long FIRST_SEQUENCE = 1001;
    static final long TOTAL_BYTES = 1_000_000;
    static final long FREE_BYTES_MIN = 1000;

    final FakeJournal journal;
    final List<Loop> loops = List.of(new Loop(0), new Loop(1), new Loop(2));
    /** What {@link #onFailure} was told. */
    final List<Throwable> failures = new ArrayList<>(); // guarded by itself
    /** What {@link #onMessagesAccepted} was told. */
    final ConcurrentLinkedQueue<Boolean> accepted = new ConcurrentLinkedQueue<>();
    /** What {@link #onAppended} was told: segment and references. */
    final ConcurrentLinkedQueue<String> appended = new ConcurrentLinkedQueue<>();

    volatile long freeBytes = TOTAL_BYTES;
    private final AtomicInteger looks = new AtomicInteger();
    private final GroupCommit commit;

    CommitRig(FakeJournal journal, CommitMode mode) {
        this(journal, mode, Duration.ofSeconds(20));
    }

    CommitRig(FakeJournal journal, CommitMode mode, Duration closeTimeout) {
        this(journal, mode, closeTimeout, AppendStage.FORCED_HERE_BATCHES_MAX, CommitGate.OPEN);
    }

    private CommitRig(
            FakeJournal journal, CommitMode mode, Duration closeTimeout, int forcedHereBatchesMax, CommitGate gate) {
        this.journal = journal;
        Clock clock = new SystemClock();
        JournalLimits limits = new JournalLimits(FREE_BYTES_MIN, 0, Duration.ofMillis(1), closeTimeout);
        CommitSetup setup = new CommitSetup(journal, mode, EPOCH, FIRST_SEQUENCE, limits, this, this, clock);
        commit = new GroupCommit(setup, gate, forcedHereBatchesMax);
    }

    static CommitRig started(FakeJournal journal) throws JournalException {
        CommitRig rig = new CommitRig(journal, CommitMode.SYNC);
        rig.commit.start();
        return rig;
    }

    /** One whose {@code journal} thread never forces. */
    static CommitRig alwaysPipelined(FakeJournal journal) throws JournalException {
        CommitRig rig = new CommitRig(journal, CommitMode.SYNC, Duration.ofSeconds(20), 0, CommitGate.OPEN);
        rig.commit.start();
        return rig;
    }

    /** One whose commits wait for a gate as well. */
    static CommitRig gated(FakeJournal journal, CommitMode mode, Duration closeTimeout, CommitGate gate)
            throws JournalException {
        CommitRig rig = new CommitRig(journal, mode, closeTimeout, AppendStage.FORCED_HERE_BATCHES_MAX, gate);
        rig.commit.start();
        return rig;
    }

    GroupCommit commit() {
        return commit;
    }

    /** Submits a batch with a number, as a loop would. */
    Batch submit(int loop, int number) {
        Batch batch = new Batch(loops.get(loop).io, loops.get(loop)::onCommitted);
        batch.buffer().putInt(number);
        batch.countEntry(number, 1);
        commit.submit(batch);
        return batch;
    }

    /** Runs what the loops have to do; all that they were told so far. */
    int completed() {
        loops.forEach(Loop::runAll);
        return loops.stream().mapToInt(loop -> loop.completed.size()).sum();
    }

    int failures() {
        synchronized (failures) {
            return failures.size();
        }
    }

    Throwable failure() {
        synchronized (failures) {
            return failures.get(0);
        }
    }

    /** Threads of any group commit that still live. */
    static long liveThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("journal"))
                .count();
    }

    @Override
    public void onAppended(int segment, int references, long referencedBytes) {
        appended.add(segment + ":" + references);
    }

    @Override
    public void onMessagesAccepted(boolean messagesAccepted, String lack) {
        accepted.add(messagesAccepted);
    }

    @Override
    public void onFailure(Throwable cause) {
        synchronized (failures) {
            failures.add(cause);
        }
    }

    /** How often somebody has asked how much space is free. */
    int looks() {
        return looks.get();
    }

    @Override
    public long freeBytes() {
        looks.incrementAndGet();
        return freeBytes;
    }

    @Override
    public long totalBytes() {
        return TOTAL_BYTES;
    }

    @Override
    public void close() {
        journal.letAppendsThrough();
        journal.letForcesThrough();
        commit.close();
    }

    /** A loop that runs on the test's thread. Checks that what is completed was forced. */
    final class Loop {
        final IoLoop io;
        final List<Integer> completed = new ArrayList<>();
        final AtomicInteger tasksGiven = new AtomicInteger();
        volatile boolean gone;
        volatile boolean mayBeVolatile;
        private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        Loop(int index) {
            io = new IoLoop(index, this::take, () -> true, new SystemClock(), new MemoryGuard());
        }

        private void take(Runnable task) {
            if (gone) {
                throw new RejectedExecutionException("the loop has ended");
            }
            tasksGiven.incrementAndGet();
            tasks.add(task);
        }

        void runAll() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }

        private void onCommitted(Batch batch) {
            if (!mayBeVolatile && batch.sequence() - FIRST_SEQUENCE >= journal.forcedRecords()) {
                throw new AssertionError("completed before it was forced: record " + batch.sequence());
            }
            completed.add(batch.references());
        }
    }
}
