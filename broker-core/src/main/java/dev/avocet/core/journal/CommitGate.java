package dev.avocet.core.journal;

import dev.avocet.core.journal.commit.Commits;

/**
 * What a commit waits for beside the disk of this node: a record is committed once it is durable here <em>and</em> lies
 * before the confirmed position. A pair confirms what every node that is in sync has.
 *
 * <p>Threads: the threads of the journal ask, many times a second; the answer is a volatile read. The thread that
 * raises it calls {@link Commits#gateMoved} afterwards, which may complete what it has let through. It never goes down.
 * What it is told must not block.
 */
@FunctionalInterface
public interface CommitGate {
    /** Of a broker that stands alone: its own disk is enough. */
    CommitGate OPEN = () -> Long.MAX_VALUE;

    /** The position before which everything is confirmed by all others. */
    long confirmedPosition();

    /** False while the others cannot confirm what would be submitted now: it should be refused. Any thread. */
    default boolean isAttended() {
        return true;
    }

    /**
     * A record has got its place in the journal; {@link #appended(long, long)} follows. The {@code journal} thread.
     *
     * @param record its bytes, which are the caller's again when this returns
     * @param length of the record, header included
     */
    default void appended(long position, byte[] record, int length) {}

    /**
     * There are records up to that position, which can be read. The {@code journal} thread.
     *
     * @param last sequence of the last one
     */
    default void appended(long end, long last) {}

    /** Everything before that position is durable here. The thread that has forced it. */
    default void durable(long end) {}
}
