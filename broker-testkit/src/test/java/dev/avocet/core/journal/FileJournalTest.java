package dev.avocet.core.journal;

import java.nio.file.Path;

class FileJournalTest extends JournalContractTest {
    @Override
    protected Journal openJournal(Path inDirectory) throws JournalException {
        return FileJournal.open(new DiskStorage(), inDirectory, FileJournal.MIN_SEGMENT_BYTES);
    }
}
