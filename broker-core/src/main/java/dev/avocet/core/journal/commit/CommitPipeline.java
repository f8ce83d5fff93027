package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.disk.Fuse;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The two stages of a commit and what lies between them, without the threads that run them. {@link #submit} and the
 * figures are for any thread.
 */
final class CommitPipeline {
    final Fuse fuse;
    final CommitStage commits;
    final AppendStage appends;
    final CommitStatistics statistics = new CommitStatistics();
    private final CommitSetup setup;
    private final AtomicLong submittedBytes = new AtomicLong();

    /**
     * @param onRoll hears that another segment was begun
     * @param forcedHereBatchesMax up to so many batches are forced by the thread that appends them; 0 for none
     */
    CommitPipeline(CommitSetup setup, CommitGate gate, Fuse fuse, Runnable onRoll, int forcedHereBatchesMax) {
        this.setup = setup;
        this.fuse = fuse;
        commits = new CommitStage(setup, gate, statistics, fuse);
        appends = new AppendStage(setup, fuse, commits, onRoll, forcedHereBatchesMax);
    }

    void submit(Batch batch) {
        if (batch.lengthBytes() > maxRecordBytes()) {
            throw new IllegalArgumentException(
                    "a batch of " + batch.lengthBytes() + " bytes, of at most " + maxRecordBytes());
        }
        if (fuse.isBlown() || appends.isClosing()) {
            statistics.onDropped(1);
            return;
        }
        if (!batch.isEmpty()) {
            submittedBytes.getAndAdd(batch.lengthBytes());
        }
        batch.submitted(setup.clock().nanoTime());
        appends.submit(batch);
    }

    int maxRecordBytes() {
        return setup.journal().maxRecordBytes();
    }

    long pendingBytes() {
        long completed = statistics.completedBytes(); // first, so that the difference is never negative
        return submittedBytes.get() - completed;
    }

    /** Lets fall what will not be appended any more. */
    void dropRest() {
        statistics.onDropped(appends.dropRest());
    }
}
