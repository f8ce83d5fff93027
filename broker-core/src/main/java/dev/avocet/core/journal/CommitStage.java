package dev.avocet.core.journal;

import dev.avocet.core.time.Clock;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.SpscUnboundedArrayQueue;

/**
 * The second half of a commit: what was appended is forced and goes back to the loops. The {@code journal} thread
 * offers. The rest is done by the {@code journal-commit} thread, or by the {@code journal} thread itself, one at a
 * time.
 */
final class CommitStage {
    private static final int CHUNK = 1024;

    private final Journal journal;
    private final Clock clock;
    private final CommitStatistics statistics;
    private final Fuse fuse;
    private final Completions completions = new Completions();
    private final Queue<Batch> appended = new SpscUnboundedArrayQueue<>(CHUNK);
    private final Doorbell bell = new Doorbell(this::hasReasonToWake);

    private volatile long appendedSequence;
    private volatile long appendedBatches;
    private volatile boolean lastCame;

    /** Whoever has set it may complete; the fields below are its. */
    private final AtomicBoolean taken = new AtomicBoolean();

    private volatile long durableSequence;
    private volatile long completedBatches;

    /** @param durable sequence up to which all is durable already */
    CommitStage(Journal journal, Clock clock, CommitStatistics statistics, Fuse fuse, long durable) {
        this.journal = journal;
        this.clock = clock;
        this.statistics = statistics;
        this.fuse = fuse;
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

    /** Has the commit thread look. Any thread. */
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
                if (!tryCommit()) {
                    bell.await();
                }
            } else if (last) {
                return;
            } else {
                bell.await();
            }
        }
    }

    /** Forces and completes all that was appended, unless another thread is at it. */
    boolean tryCommit() throws JournalException {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        long until = appendedBatches;
        long sequence = appendedSequence;
        if (sequence != durableSequence) {
            long beganNs = clock.nanoTime();
            journal.force();
            statistics.onForce(clock.nanoTime() - beganNs);
            durableSequence = sequence;
        }
        complete(until);
        taken.set(false); // not after a failure: then nothing more is ever completed
        return true;
    }

    /** Completes all that was appended, durable or not. */
    void completeVolatile() {
        complete(appendedBatches);
    }

    private void complete(long until) {
        if (fuse.isBlown()) {
            return;
        }
        long nowNs = clock.nanoTime();
        int records = 0;
        for (long left = until - completedBatches; left > 0; left--) {
            Batch batch = appended.remove();
            records += batch.isEmpty() ? 0 : 1;
            statistics.onBatch(batch, nowNs);
            completions.add(batch);
        }
        completedBatches = until;
        if (records > 0) {
            statistics.onCommit(records);
        }
        completions.handOver();
    }

    private boolean hasWork() {
        return appendedBatches != completedBatches;
    }

    private boolean hasReasonToWake() {
        return hasWork() && !taken.get() || lastCame || fuse.isBlown();
    }
}
