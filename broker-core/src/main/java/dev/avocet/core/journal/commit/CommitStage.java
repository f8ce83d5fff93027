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
 * loops. The {@code journal} thread offers. One thread at a time forces, {@code journal-commit} or {@code journal}
 * itself. One thread at a time completes, which may be another one: what the gate lets through does not wait for the
 * force of what came behind it, nor for a thread to wake up.
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

    /** The thread that has set it may force; what is durable is its. */
    private final AtomicBoolean forcing = new AtomicBoolean();

    private volatile long durableSequence;
    /** Up to where the gate knows that everything is durable. */
    private long toldDurable;
    /** So many batches were appended before the last force began: all there are, where nothing is forced. */
    private volatile long coveredBatches;

    /** The thread that has set it may complete; what is completed is its. */
    private final AtomicBoolean completing = new AtomicBoolean();

    private volatile long completedBatches;
    /** The position of the next record to be completed, when that one is durable and the gate holds it back. */
    private volatile long heldBack = NOTHING;

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

    /** A record is in the journal. The {@code journal} thread. */
    void tellAppended(long position, byte[] record, int length) {
        gate.appended(position, record, length);
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

    /** Forces all that was appended, and completes what may be, unless another thread is at it. */
    boolean tryCommit() throws JournalException {
        if (!forcing.compareAndSet(false, true)) {
            return false;
        }
        force();
        forcing.set(false); // not after a failure: then nothing more is ever forced
        completeAll();
        return true;
    }

    /** The gate lets more through than before. Any thread. */
    void gateMoved() {
        completeAll();
        if (lastCame) {
            bell.ring(); // the commit thread waits for the end
        }
    }

    /**
     * Completes what may be, or leaves it to the thread that is at it: that one looks once more when it is done, so
     * nothing is left lying.
     */
    private void completeAll() {
        while (mayComplete() && completing.compareAndSet(false, true)) {
            boolean unused = complete();
            completing.set(false);
        }
    }

    private boolean mayComplete() {
        return !fuse.isBlown() && coveredBatches != completedBatches && gate.confirmedPosition() > heldBack;
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
        long batches = appendedBatches;
        long sequence = appendedSequence;
        long end = appendedEnd;
        if (!forces || sequence == durableSequence) {
            coveredBatches = batches;
            tellDurable(forces ? toldDurable : end);
            return false;
        }
        long beganNs = clock.nanoTime();
        journal.force();
        statistics.onForce(clock.nanoTime() - beganNs);
        durableSequence = sequence;
        coveredBatches = batches;
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

    /** True when a force would cover more than the last one, or there is something that no thread completes. */
    private boolean hasWork() {
        return forces && appendedSequence != durableSequence
                || appendedBatches != coveredBatches
                || mayComplete() && !completing.get();
    }

    private boolean isOver() {
        return lastCame && appendedBatches == completedBatches;
    }

    private boolean hasReasonToWake() {
        return hasWork() && !forcing.get() || isOver() || fuse.isBlown();
    }
}
