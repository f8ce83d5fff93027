package dev.avocet.core.journal;

/**
 * Brings batches of all event loops into one journal and tells each loop what is durable. Two threads: {@code journal} appends whatever
 * has come, {@code journal-commit} forces whatever was appended; appending never waits for forcing, so the batches of one force grow
 * with the load. Completions go back to each loop in one task per commit.
 */
public interface GroupCommit extends AutoCloseable {
    /** Hands a batch over. The loop of the batch; never blocks. */
    void submit(Batch batch);

    /** Bytes submitted and not yet completed. Any thread. */
    long pendingBytes();

    /** False while there is no room for another segment, or the disk is too full: no further messages should be submitted. */
    boolean acceptsMessages();

    /** Commits what was submitted, then stops the threads. */
    @Override
    void close();
}
