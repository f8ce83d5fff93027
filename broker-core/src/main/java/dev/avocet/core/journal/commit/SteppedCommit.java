package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.TermOverException;
import dev.avocet.core.journal.disk.Fuse;

/**
 * Commits without threads: the caller says when the next records are appended, when the disk is forced and when the
 * loops hear of it. For simulations, in which a seed decides the order of everything. One thread.
 *
 * <p>Errors: as with {@link GroupCommit}. A step that fails throws, the listener hears of it once, and no step does
 * anything from then on.
 */
public final class SteppedCommit implements Commits {
    private final CommitGate gate;
    private final CommitSetup setup;
    private final CommitPipeline pipeline;
    private final SpaceWatch space;

    public SteppedCommit(CommitSetup setup, CommitGate gate) {
        this.gate = gate;
        this.setup = setup;
        Fuse fuse = new Fuse(setup.listener()::onFailure);
        space = new SpaceWatch(setup.journal(), setup.disk(), setup.limits(), setup.listener(), fuse);
        pipeline = new CommitPipeline(setup, gate, fuse, () -> {}, 0);
    }

    @Override
    public void start() throws JournalException {
        setup.journal().begin(setup.epoch());
    }

    @Override
    public void submit(Batch batch) {
        pipeline.submit(batch);
    }

    /** Appends what was submitted, up to what one turn takes; false when there was nothing. */
    public boolean append() throws JournalException {
        return step(pipeline.appends::step);
    }

    /**
     * Has the disk make durable what was appended by now; false when all of it is. The loops do not hear of it before
     * {@link #complete}: what is appended in between is not covered.
     */
    public boolean force() throws JournalException {
        return step(pipeline.commits::forceStep);
    }

    /** Gives what is durable and confirmed back to the loops; false when that is nothing new. */
    public boolean complete() throws JournalException {
        return step(pipeline.commits::completeStep);
    }

    /** Looks after room for the next segment, as a thread of the group commit does all the time. */
    public void watchSpace() {
        if (!pipeline.fuse.isBlown()) {
            space.check();
        }
    }

    private boolean step(Step step) throws JournalException {
        if (pipeline.fuse.isBlown()) {
            return false;
        }
        try {
            return step.run();
        } catch (Throwable e) { // nothing may be acknowledged any more
            pipeline.fuse.blow(e);
            throw e;
        }
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

    /** Nothing to wake: {@link #complete} looks at the gate each time. */
    @Override
    public void gateMoved() {}

    @Override
    public void abandon(String why) {
        pipeline.fuse.blow(new TermOverException(why));
    }

    @Override
    public CommitStatistics statistics() {
        return pipeline.statistics;
    }

    /** Takes no more. What was submitted stays where it is, as at a crash, unless the caller has taken its steps. */
    @Override
    public void close() {
        pipeline.appends.close();
        pipeline.dropRest();
    }

    /** What a thread of the group commit does once. */
    @FunctionalInterface
    private interface Step {
        boolean run() throws JournalException;
    }
}
