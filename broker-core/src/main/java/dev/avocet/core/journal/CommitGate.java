package dev.avocet.core.journal;

/**
 * What a commit waits for beside the disk of this node: a record is committed once it is durable here <em>and</em> its
 * sequence is confirmed. A pair confirms what every node that is in sync has.
 *
 * <p>Threads: any thread of the journal asks, many times a second; the answer is a volatile read. The thread that
 * raises it calls {@link Commits#gateMoved} afterwards. It never goes down.
 */
@FunctionalInterface
public interface CommitGate {
    /** Of a broker that stands alone: its own disk is enough. */
    CommitGate OPEN = () -> Long.MAX_VALUE;

    /** The sequence up to which records are confirmed by all others. */
    long confirmedSequence();
}
