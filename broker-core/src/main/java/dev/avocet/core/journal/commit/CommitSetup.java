package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.disk.DiskSpace;
import dev.avocet.core.time.Clock;

/**
 * What the commits of one life of a store need.
 *
 * @param journal scanned, not begun; stays the caller's, who closes it after the commits
 * @param epoch of this life, more than that of any record in the journal
 * @param nextSequence of the first record, more than that of any record in the journal; {@link Journal#begin} makes all
 *     before it durable
 * @param disk where the journal's files are
 */
public record CommitSetup(
        Journal journal,
        CommitMode mode,
        int epoch,
        long nextSequence,
        JournalLimits limits,
        CommitListener listener,
        DiskSpace disk,
        Clock clock) {

    /** Makes the commits of a life. */
    @FunctionalInterface
    public interface Starter {
        Commits prepare(CommitSetup setup);
    }
}
