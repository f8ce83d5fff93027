package dev.avocet.core.journal;

import dev.avocet.core.journal.chronicle.ChronicleJournal;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.file.FileJournal;
import java.nio.file.Path;

/** The journals there are, with small segments. */
public enum JournalKind {
    FILE {
        @Override
        public Journal open(Storage storage, Path directory, int segmentBytes) throws JournalException {
            return FileJournal.open(storage, directory, segmentBytes);
        }
    },
    CHRONICLE {
        @Override
        public Journal open(Storage storage, Path directory, int segmentBytes) throws JournalException {
            return ChronicleJournal.open(storage, directory, segmentBytes);
        }
    };

    public abstract Journal open(Storage storage, Path directory, int segmentBytes) throws JournalException;
}
