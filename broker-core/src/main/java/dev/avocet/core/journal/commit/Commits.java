package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.TermOverException;

/**
 * The way from the event loops into a journal: batches go in, and come back to their loops once they are committed, in
 * the order of their submission. {@link GroupCommit} runs it with threads, {@link SteppedCommit} step by step.
 */
public interface Commits extends AutoCloseable {
    /** Begins the journal, then takes batches. Once; blocks on the disk. */
    void start() throws JournalException;

    /** Hands a batch over; an empty one is completed in its turn, too. The loop of the batch; never blocks. */
    void submit(Batch batch);

    /** The largest batch, room for the header included, in bytes. */
    int maxRecordBytes();

    /** Bytes submitted and not yet completed. Any thread. */
    long pendingBytes();

    /**
     * False while there is no room for another segment, or the disk is too full: no further messages should be
     * submitted. Any thread.
     */
    boolean acceptsMessages();

    /** False while the {@link CommitGate} would hold back what is submitted now: it should be refused. Any thread. */
    boolean isAttended();

    /** The {@link CommitGate} lets more through than before. Any thread; never blocks. */
    void gateMoved();

    CommitStatistics statistics();

    /**
     * Commits nothing any more from now on, whatever the gate lets through: another node may serve clients. The
     * listener hears of a {@link TermOverException}. Any thread; never blocks.
     */
    void abandon(String why);

    /** Commits what was submitted and can be committed in time, then stops. */
    @Override
    void close();
}
