package dev.avocet.core.session;

/**
 * Where a front end writes what must survive of one session. Home loop of the session only. What is written within one
 * batch of the loop is durable together or not at all, and in its order.
 */
public interface SessionLog {
    /**
     * Writes an entry in the front end's own format; after a restart {@link ProtocolState#replay} gets the same bytes.
     */
    void write(byte[] bytes, int offset, int length);

    /**
     * Runs an action once everything that this loop has written so far is durable; at once when it is. Actions keep
     * their order.
     */
    void afterCommit(Runnable action);

    /** Runs an action before the present batch is closed: a chance to write many small changes as one entry. */
    void beforeCommit(Runnable action);
}
