package dev.avocet.core.journal;

import java.nio.file.Path;

class ChronicleJournalTest extends JournalContractTest {
    @Override
    protected Journal openJournal(Path inDirectory) throws JournalException {
        return ChronicleJournal.open(new DiskStorage(), inDirectory, ChronicleJournal.SEGMENT_MIN_BYTES);
    }
}
