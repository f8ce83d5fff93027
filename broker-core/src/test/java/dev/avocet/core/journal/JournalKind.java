package dev.avocet.core.journal;

import java.nio.file.Path;

/** The journals there are, with small segments. */
enum JournalKind {
    FILE {
        @Override
        Journal open(Storage storage, Path directory, int segmentBytes) throws JournalException {
            return FileJournal.open(storage, directory, segmentBytes);
        }
    },
    CHRONICLE {
        @Override
        Journal open(Storage storage, Path directory, int segmentBytes) throws JournalException {
            return ChronicleJournal.open(storage, directory, segmentBytes);
        }
    };

    abstract Journal open(Storage storage, Path directory, int segmentBytes) throws JournalException;
}
