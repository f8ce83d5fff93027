package dev.avocet.core.journal;

import dev.avocet.core.time.Clock;
import java.util.Queue;
import org.jctools.queues.SpscUnboundedArrayQueue;

/**
 * The second half of a commit: what was appended is forced and goes back to the loops. The {@code journal} thread offers, the
 * {@code journal-commit} thread does the rest; without force both are the {@code journal} thread.
 */
final class CommitStage {
    private static final int CHUNK = 1024;

    private final Journal journal;
    private final Clock clock;
    private final CommitStatistics statistics;
    private final Fuse fuse;
    private final Completions completions = new Completions();
    private final Queue<Batch> appended = new SpscUnboundedArrayQueue<>(CHUNK);
    private final Doorbell bell;

    private volatile long appendedSequence;
    private volatile long appendedBatches;
    private volatile boolean lastCame;
    private volatile long durableSequence;
    private long completedBatches;

    CommitStage(Journal journal, Clock clock, CommitStatistics statistics, Fuse fuse, Doorbell bell, long durable) {
        this.journal = journal;
        this.clock = clock;
        this.statistics = statistics;
        this.fuse = fuse;
        this.bell = bell;
        appendedSequence = durable;
        durableSequence = durable;
    }

    /** Every record up to this one survives the loss of power. */
    long durableSequence() {
        return durableSequence;
    }

    /** A batch was appended, or was empty. */
    void offer(Batch batch) {
        if (!batch.isEmpty()) {
            appendedSequence = batch.sequence();
        }
        appended.add(batch);
        appendedBatches = appendedBatches + 1;
    }

    /** Has the commit thread look. */
    void wake() {
        bell.ring();
    }

    /** Nothing more will be offered. */
    void end() {
        lastCame = true;
        bell.ring();
    }

    /** Commits until the end, or until something fails. */
    void run() throws JournalException {
        while (!fuse.isBlown()) {
            boolean last = lastCame;
            if (hasWork()) {
                force();
            } else if (last) {
                return;
            } else {
                bell.await(() -> hasWork() || lastCame || fuse.isBlown());
            }
        }
    }

    private boolean hasWork() {
        return appendedBatches != completedBatches;
    }

    /** Forces and completes all that was appended before the call. */
    private void force() throws JournalException {
        long until = appendedBatches;
        long sequence = appendedSequence;
        if (sequence != durableSequence) {
            long beganNs = clock.nanoTime();
            journal.force();
            statistics.onForce(clock.nanoTime() - beganNs);
            durableSequence = sequence;
        }
        complete(until);
    }

    /** Completes all that was appended before the call, durable or not. */
    void completeAppended() {
        complete(appendedBatches);
    }

    private void complete(long until) {
        if (fuse.isBlown()) {
            return;
        }
        long nowNs = clock.nanoTime();
        int records = 0;
        for (; completedBatches < until; completedBatches++) {
            Batch batch = appended.remove();
            records += batch.isEmpty() ? 0 : 1;
            statistics.onBatch(batch, nowNs);
            completions.add(batch);
        }
        statistics.onCommit(records);
        completions.handOver();
    }
}
