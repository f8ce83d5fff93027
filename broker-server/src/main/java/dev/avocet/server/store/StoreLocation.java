package dev.avocet.server.store;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.chronicle.ChronicleJournal;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.store.inspect.StoreUpgrade;
import dev.avocet.server.config.JournalKind;
import dev.avocet.server.config.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a store is, and what its journal is made of.
 *
 * @param directory absolute; checkpoints lie here, and the journal in a directory of its own, named by its kind
 * @param journal as it is, or as it should be when there is none yet
 * @param segmentBytes of new segments
 */
public record StoreLocation(Path directory, JournalKind journal, int segmentBytes) {
    /** The store that a configuration describes, whether or not it is there. */
    public static StoreLocation of(StoreConfig config, Path dataDirectory) {
        return new StoreLocation(
                dataDirectory.resolve(config.directory()).normalize(), config.journal(), config.segmentBytes());
    }

    /** The same with the kind of journal that is there. */
    public StoreLocation asFound() {
        for (JournalKind kind : JournalKind.values()) {
            if (Files.isDirectory(directory.resolve(kind.toString()))) {
                return new StoreLocation(directory, kind, segmentBytes);
            }
        }
        return this;
    }

    /** Does what is left of an upgrade that a crash has interrupted at its very end. */
    public void finishUpgrade(Storage storage) throws JournalException {
        try {
            StoreUpgrade.finish(storage, directory);
        } catch (IOException e) {
            throw new JournalException("the upgrade of " + directory + " cannot be finished: " + e, e);
        }
    }

    /** The directory of the journal. */
    public Path journalDirectory() {
        return directory.resolve(journal.toString());
    }

    /** Opens the journal, or makes one; {@link JournalException} when there is one of another kind already. */
    public Journal openJournal(Storage storage) throws JournalException {
        JournalKind found = asFound().journal();
        if (found != journal) {
            throw new JournalException("the store in " + directory + " was made with a journal of the kind '" + found
                    + "', and 'store.journal' is '" + journal + "'; set that to '" + found
                    + "', or choose another 'store.directory' for a new store");
        }
        return openJournal(storage, journalDirectory());
    }

    /** Opens a journal of this kind in a directory, or makes one. */
    public Journal openJournal(Storage storage, Path path) throws JournalException {
        return openJournal(storage, path, segmentBytes);
    }

    /** The same with segments that are as small as they may be. */
    public Journal openSmallJournal(Storage storage, Path path) throws JournalException {
        int smallest =
                journal == JournalKind.CHRONICLE ? ChronicleJournal.SEGMENT_MIN_BYTES : FileJournal.MIN_SEGMENT_BYTES;
        return openJournal(storage, path, smallest);
    }

    private Journal openJournal(Storage storage, Path path, int bytes) throws JournalException {
        return switch (journal) {
            case CHRONICLE -> ChronicleJournal.open(storage, path, bytes);
            case FILE -> FileJournal.open(storage, path, bytes);
        };
    }
}
