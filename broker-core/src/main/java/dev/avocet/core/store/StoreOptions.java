package dev.avocet.core.store;

import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.disk.DiskSpace;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What a store can be told to do differently.
 *
 * @param directory where checkpoints lie; the journal has a directory of its own
 * @param mode when something counts as written
 * @param memoryBytes what waiting messages of durable queues may take of the heap together, 0 or more; the others are
 *     read back from disk when their turn comes
 * @param journal how much of the disk is left to others
 * @param reclaim when checkpoints are taken and segments are given back
 */
public record StoreOptions(
        Path directory, CommitMode mode, long memoryBytes, JournalLimits journal, ReclaimSettings reclaim) {
    /** The disk that it lies on. */
    DiskSpace diskSpace() throws JournalException {
        try {
            return DiskSpace.of(directory);
        } catch (IOException e) {
            throw new JournalException("the free space of " + directory + " cannot be read: " + e, e);
        }
    }
}
