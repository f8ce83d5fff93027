package dev.avocet.core.store;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.chronicle.ChronicleJournal;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a {@link PauseRun} does.
 *
 * @param chronicle the journal on Chronicle Queue, or that on plain files
 * @param messagesPerSecond 0 for as many as go through
 * @param sessions that are away, with references in each
 */
record PauseSettings(
        boolean chronicle,
        int segmentBytes,
        int messagesPerSecond,
        int messageBytes,
        int sessions,
        int referencesPerSession,
        ReclaimSettings reclaim) {

    static ReclaimSettings every(Duration checkpointInterval, int checkpointSegments) {
        ReclaimSettings usual = ReclaimSettings.DEFAULT;
        return new ReclaimSettings(
                checkpointInterval,
                checkpointSegments,
                usual.livePercentMax(),
                usual.moveBytesPerSecond(),
                usual.moveTimeout());
    }

    Journal openJournal(Path directory) throws JournalException {
        DiskStorage storage = new DiskStorage();
        return chronicle
                ? ChronicleJournal.open(storage, directory.resolve("chronicle"), segmentBytes)
                : FileJournal.open(storage, directory.resolve("file"), segmentBytes);
    }
}
