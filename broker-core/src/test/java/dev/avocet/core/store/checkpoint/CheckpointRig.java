package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.message.Message;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.SessionSnapshot;
import dev.avocet.core.store.image.Recovery;
import dev.avocet.core.store.replay.EntryLog;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.replay.Rendering;
import dev.avocet.core.topic.RetainedPlace;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A data directory on a disk in memory, with a small journal and checkpoints whose content follows from their numbers.
 */
public final class CheckpointRig {
    static final Path DATA = Path.of("/data");
    static final Path JOURNAL = Path.of("/data/journal");

    final FaultyStorage storage = new FaultyStorage();
    final ManualClock clock = new ManualClock();
    final long position;
    private FileJournal journal;

    /** @param filler records in the journal in front of the one on which checkpoints stand */
    CheckpointRig(int filler) throws JournalException {
        journal = open();
        journal.begin(1);
        EntryLog log = new EntryLog();
        long sequence = 1;
        for (int i = 0; i < filler; i++) {
            log.numbered(EntryKind.EPOCH, i).appendTo(journal, 1, sequence++);
        }
        position = log.numbered(EntryKind.CHECKPOINT, 1).appendTo(journal, 1, sequence);
        // What checkpoints refer to lies in the log.
        for (int i = 0; i < 1000; i++) {
            log.numbered(EntryKind.EPOCH, i);
        }
        log.appendTo(journal, 1, sequence + 1);
        journal.force();
        journal.close();
    }

    UUID storeId() {
        return journal.storeId();
    }

    Path file(long number) {
        return new CheckpointFiles(storage, DATA).file(number);
    }

    /** Writes a checkpoint; says by its content which one it is. */
    void write(long number) throws JournalException {
        write(number, 40);
    }

    void write(long number, int references) throws JournalException {
        CheckpointWriter writer = CheckpointWriter.begin(
                storage, DATA, new CheckpointHeader(number, position, 100, 200, 1, 1, 5, storeId()), clock);
        try {
            EntryLog session = new EntryLog()
                    .session(number, "client-" + number, 60, 4711, EntryLog.will("will"))
                    .subscription(number, "a/b", null, number)
                    .protocol(number, NoteState.entry(NoteState.ADD, 7));
            byte[] entries = Arrays.copyOfRange(session.buffer().array(), RecordHeader.BYTES, session.offset());
            writer.session(new SessionSnapshot(entries, List.of(queue(number, references))));
            writer.retained(retained("topic-" + number, position + number, 77));
            writer.finish();
        } catch (JournalException e) {
            writer.abort();
            throw e;
        }
    }

    FakeQueueSnapshot queue(long number, int count) {
        List<FakeQueueSnapshot.Reference> references = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            references.add(new FakeQueueSnapshot.Reference(
                    number * 1000 + i * 3L,
                    position + (i * 7919L & 0xFFF),
                    100 + i,
                    i % 5 == 0 ? clock.nanoTime() + 1_000_000L * i : Message.NEVER,
                    i % 7 == 0 ? EntryLog.options(i % 3) : null));
        }
        return new FakeQueueSnapshot(number, number * 1_000_000, references);
    }

    public static RetainedPlace retained(String topic, long position, int storedBytes) {
        return new RetainedPlace(topic, position, storedBytes);
    }

    FileJournal open() throws JournalException {
        return FileJournal.open(storage, JOURNAL, FileJournal.MIN_SEGMENT_BYTES);
    }

    RecoveredState recover() throws JournalException {
        journal = open();
        try {
            return new Recovery(journal, storage, DATA, new Formats(List.of()), NoteState::new, clock).read();
        } finally {
            journal.close();
        }
    }

    /** Which checkpoint was read; 0 for none. */
    long recovered() throws JournalException {
        RecoveredState state = recover();
        return state.sessions().isEmpty() ? 0 : state.sessions().get(0).id();
    }

    String rendered() throws JournalException {
        return Rendering.of(recover(), Set.of("topic-1", "topic-2", "topic-3"));
    }
}
