package dev.avocet.core.journal;

import dev.avocet.core.journal.chronicle.ChronicleJournal;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.file.FileJournal;
import java.nio.file.Path;

/** The implementations of a journal, for the benchmarks. */
public enum MeasuredJournal {
    FILE,
    CHRONICLE;

    private static final int SEGMENT_BYTES = 64 << 20;

    Journal open(Path directory) throws JournalException {
        DiskStorage storage = new DiskStorage();
        return switch (this) {
            case FILE -> FileJournal.open(storage, directory, SEGMENT_BYTES);
            case CHRONICLE -> ChronicleJournal.open(storage, directory, SEGMENT_BYTES);
        };
    }
}
