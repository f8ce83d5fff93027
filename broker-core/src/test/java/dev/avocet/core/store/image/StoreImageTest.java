package dev.avocet.core.store.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.checkpoint.TakenCheckpoint;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.replay.EntryLog;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualClock;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StoreImageTest {
    private static final Path JOURNAL = Path.of("/data/journal");
    private static final Path COPY = Path.of("/copy");
    private static final UUID STORE = new UUID(1, 2);
    private static final Formats FORMATS = new Formats(List.of());

    private final FaultyStorage storage = new FaultyStorage();
    private final ManualClock clock = new ManualClock();
    private long sequence;

    @Test
    void shouldNotApplyTheLastRecordOfItsCheckpointAgain() throws JournalException {
        // given a record that removes a retained message, and then commits one that was published before
        try (FileJournal journal = FileJournal.open(storage, JOURNAL, FileJournal.MIN_SEGMENT_BYTES)) {
            journal.scan(Position.BEGINNING, (position, bytes, offset, length) -> {});
            journal.begin(1);
            append(
                    journal,
                    new EntryLog()
                            .numbered(EntryKind.TRANSACTION_BEGIN, 7)
                            .message(EntryKind.MESSAGE, true, 7, EntryLog.NEVER, 0)
                            .endMessage("t", new byte[10]));
            append(
                    journal,
                    new EntryLog()
                            .message(EntryKind.MESSAGE, true, 0, EntryLog.NEVER, 0)
                            .endMessage("t", new byte[0])
                            .numbered(EntryKind.TRANSACTION_COMMIT, 7));
        }
        StoreImage image = StoreImage.empty(FORMATS, NoteState::new);
        scanInto(image);
        TakenCheckpoint unused = image.writeCheckpoint(storage, COPY, STORE, 1, clock);

        // when
        StoreImage again = StoreImage.ofCheckpoint(
                storage, new CheckpointFiles(storage, COPY).file(1), STORE, FORMATS, NoteState::new);
        scanInto(again);

        // then
        assertThat(image.state().retainedTopics()).containsExactly("t");
        assertThat(again.state().retainedTopics()).containsExactly("t");
    }

    private void append(FileJournal journal, EntryLog entries) throws JournalException {
        long unused = entries.appendTo(journal, 1, ++sequence);
        journal.force();
    }

    private void scanInto(StoreImage image) throws JournalException {
        try (FileJournal journal = FileJournal.open(storage, JOURNAL, FileJournal.MIN_SEGMENT_BYTES)) {
            journal.scan(image.from(), image::apply);
        }
    }
}
