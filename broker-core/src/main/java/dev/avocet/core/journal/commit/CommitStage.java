package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.Fuse;
import dev.avocet.core.time.Clock;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.SpscUnboundedArrayQueue;

/**
 * The second half of a commit: what was appended is forced, waits for the {@link CommitGate} and goes back to the
 * loops. The {@code journal} thread offers. The rest is done by the {@code journal-commit} thread, or by the
 * {@code journal} thread itself, one at a time.
 */
final class CommitStage {
    private static final int CHUNK = 1024;
    /** The gate holds nothing back. */
    private static final long NOTHING = Long.MIN_VALUE;

    private final Journal journal;
    private final boolean forces;
    private final Clock clock;
    private final CommitGate gate;
    private final CommitStatistics statistics;
    private final Fuse fuse;
    private final Completions completions = new Completions();
    private final Queue<Batch> appended = new SpscUnboundedArrayQueue<>(CHUNK);
    private final Doorbell bell = new Doorbell(this::hasReasonToWake);

    private volatile long appendedSequence;
    private volatile long appendedEnd;
    private volatile long appendedBatches;
    private volatile boolean lastCame;

    /** The thread that has set it may force and complete; the fields below are its. */
    private final AtomicBoolean taken = new AtomicBoolean();

    private volatile long durableSequence;
    private volatile long completedBatches;
    /** Up to where the gate knows that everything is durable. */
    private long toldDurable;
    /** The position of the next record to be completed, when that one is durable and the gate holds it back. */
    private volatile long heldBack = NOTHING;
    /** So many batches were appended before the last force began: all there are, where nothing is forced. */
    private long coveredBatches;

    CommitStage(CommitSetup setup, CommitGate gate, CommitStatistics statistics, Fuse fuse) {
        journal = setup.journal();
        forces = setup.mode() == CommitMode.SYNC;
        clock = setup.clock();
        this.gate = gate;
        this.statistics = statistics;
        this.fuse = fuse;
        appendedSequence = setup.nextSequence() - 1;
        durableSequence = appendedSequence;
    }

    /** Every record up to this one survives the loss of power of this node. */
    long durableSequence() {
        return durableSequence;
    }

    /** A batch was appended, or was empty. */
    void offer(Batch batch) {
        if (!batch.isEmpty()) {
            appendedEnd = journal.end(); // before the sequence, which is read first
            appendedSequence = batch.sequence();
        }
        appended.add(batch);
        appendedBatches = appendedBatches + 1;
    }

    /** What was offered so far can be read. The {@code journal} thread. */
    void tellAppended() {
        gate.appended(appendedEnd, appendedSequence);
    }

    /** True when everything is durable that was appended, and the gate holds some of it back. Any thread. */
    boolean isHeldBack() {
        return heldBack != NOTHING;
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
        while (!fuse.isBlown() && !isOver()) {
            if (!hasWork() || !tryCommit()) {
                bell.await();
            }
        }
    }

    /** Forces and completes all that was appended, unless another thread is at it. */
    boolean tryCommit() throws JournalException {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        force();
        complete();
        taken.set(false); // not after a failure: then nothing more is ever completed
        if (heldBack != NOTHING) {
            bell.ring(); // the gate may have moved while we had it, and found no thread awake
        }
        return true;
    }

    /** One force by the only thread there is; false when everything is durable. */
    boolean forceStep() throws JournalException {
        return force();
    }

    /** One completion by the only thread there is; false when there is nothing to tell. */
    boolean completeStep() {
        return complete();
    }

    private boolean force() throws JournalException {
        coveredBatches = appendedBatches;
        long sequence = appendedSequence;
        long end = appendedEnd;
        if (!forces || sequence == durableSequence) {
            tellDurable(forces ? toldDurable : end);
            return false;
        }
        long beganNs = clock.nanoTime();
        journal.force();
        statistics.onForce(clock.nanoTime() - beganNs);
        durableSequence = sequence;
        tellDurable(end);
        return true;
    }

    private void tellDurable(long end) {
        if (end > toldDurable) {
            toldDurable = end;
            gate.durable(end);
        }
    }

    private boolean complete() {
        if (fuse.isBlown()) {
            return false;
        }
        long until = coveredBatches;
        long confirmed = gate.confirmedPosition();
        long nowNs = clock.nanoTime();
        long done = completedBatches;
        long first = done;
        long held = NOTHING;
        int records = 0;
        while (done < until) {
            Batch batch = appended.element();
            if (!batch.isEmpty()) {
                if (batch.position() >= confirmed) {
                    held = batch.position();
                    break;
                }
                records++;
            }
            appended.remove();
            done++;
            statistics.onBatch(batch, nowNs);
            completions.add(batch);
        }
        heldBack = held;
        completedBatches = done;
        if (records > 0) {
            statistics.onCommit(records);
        }
        completions.handOver();
        return done > first;
    }

    /** True when a force would cover more than the last one, or the gate lets more through. */
    private boolean hasWork() {
        if (forces && appendedSequence != durableSequence) {
            return true;
        }
        return appendedBatches != completedBatches && gate.confirmedPosition() > heldBack;
    }

    private boolean isOver() {
        return lastCame && appendedBatches == completedBatches;
    }

    private boolean hasReasonToWake() {
        return hasWork() && !taken.get() || isOver() || fuse.isBlown();
    }
}
