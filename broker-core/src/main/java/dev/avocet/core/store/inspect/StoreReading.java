package dev.avocet.core.store.inspect;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.checkpoint.CheckpointHeader;
import dev.avocet.core.store.checkpoint.CheckpointReader;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.replay.EntryReplay;
import dev.avocet.core.store.replay.RecoveredState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a store what can be read, whatever is damaged, and changes nothing. What it makes of that is what a repair
 * would keep. One use, one owner, before the journal begins.
 */
final class StoreReading {
    private static final ScanResult NOTHING = new ScanResult(0, 0, 0, 0);

    private final Journal journal;
    private final CheckpointFiles files;
    private final Formats formats;
    private final ProtocolStates protocolStates;

    private final List<Damage> checkpointDamages = new ArrayList<>();
    private final List<CheckpointStat> checkpoints = new ArrayList<>();
    private final DamageList journalDamages = new DamageList();
    private final EntryCounts counts = new EntryCounts();
    private final RecordReader in = new RecordReader();
    private RecoveredState state = new RecoveredState();
    private @Nullable CheckpointHeader header;
    private @Nullable EntryReplay replay;
    private boolean positionSeen;
    private long lastSequence;
    private long missingRecords;
    private long lastPosition = Position.BEGINNING;

    StoreReading(Journal journal, CheckpointFiles files, Formats formats, ProtocolStates protocolStates) {
        this.journal = journal;
        this.files = files;
        this.formats = formats;
        this.protocolStates = protocolStates;
    }

    /** Reads the checkpoints and the log behind the newest one. */
    void readWhatRecoveryReads() throws JournalException {
        readCheckpoints();
        try {
            complete(journal.scan(from(), this::apply, journalDamages));
        } catch (CorruptJournalException e) {
            journalDamages.onDamage(from(), e);
            complete(NOTHING);
        }
    }

    /** Reads everything and goes on behind damage. */
    void readEverything() throws JournalException {
        readCheckpoints();
        journal.scan(Position.BEGINNING, (position, bytes, offset, length) -> {}, journalDamages);
        complete(journal.scan(Position.BEGINNING, this::applyIfNew, journalDamages));
        findMissingSegments();
    }

    RecoveredState state() {
        return state;
    }

    List<CheckpointStat> checkpoints() {
        return checkpoints;
    }

    EntryCounts counts() {
        return counts;
    }

    DamageList journalDamages() {
        return journalDamages;
    }

    /** Position of the newest checkpoint that can be read; the beginning when there is none. */
    long from() {
        CheckpointHeader newest = header;
        return newest == null ? Position.BEGINNING : newest.position();
    }

    /** Of the last record of the log; the beginning when there is none. */
    long lastPosition() {
        return lastPosition;
    }

    /** Records behind the newest checkpoint that are lost, as far as later ones tell. */
    long missingRecords() {
        return missingRecords;
    }

    /** Damage that keeps the store from being opened, or something alive from being read. */
    List<Damage> damages() {
        List<Damage> all = new ArrayList<>(checkpointDamages);
        all.addAll(journalDamages.from(from()));
        return all;
    }

    /** Damage in parts of the journal that recovery does not read any more. */
    List<Damage> oldDamages() {
        return journalDamages.before(from());
    }

    private void readCheckpoints() throws JournalException {
        try {
            for (long number : files.numbers()) {
                readCheckpoint(number);
            }
            requireBeginning();
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException(files.directory() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private void readCheckpoint(long number) throws IOException {
        Path file = files.file(number);
        long bytes = files.storage().sizeBytes(file);
        RecoveredState its = new RecoveredState();
        try {
            CheckpointHeader found =
                    CheckpointReader.read(files.storage(), file, journal.storeId(), its, formats, protocolStates);
            checkpoints.add(new CheckpointStat(number, file, bytes, found.position(), found.wallMs(), true));
            if (header == null) {
                header = found;
                state = its;
            }
        } catch (CorruptJournalException e) {
            checkpoints.add(new CheckpointStat(number, file, bytes, Position.BEGINNING, 0, false));
            checkpointDamages.add(Damage.of(e));
        }
    }

    /** Without a checkpoint the log should be there from its beginning. */
    private void requireBeginning() {
        List<Segment> segments = journal.segments();
        if (header == null && !segments.isEmpty() && segments.get(0).number() != 1) {
            checkpointDamages.add(new Damage(
                    files.directory().toString(),
                    0,
                    Damage.NOWHERE,
                    "there is no checkpoint to be read, and the journal begins with segment "
                            + segments.get(0).number() + " only"));
        }
    }

    private void applyIfNew(long position, byte[] bytes, int offset, int length) {
        if (position >= from()) {
            apply(position, bytes, offset, length);
        }
    }

    private void apply(long position, byte[] bytes, int offset, int length) {
        positionSeen |= position == from();
        long sequence = RecordHeader.sequence(bytes, offset);
        if (lastSequence != 0) {
            missingRecords += sequence - lastSequence - 1;
        }
        lastSequence = sequence;
        lastPosition = position;
        try {
            replay().apply(position, bytes, offset, length);
            count(bytes, offset, length);
        } catch (JournalException e) {
            journalDamages.add(position, damageAt(position, e.getMessage()));
        }
    }

    private EntryReplay replay() {
        EntryReplay present = replay;
        if (present == null) {
            present = new EntryReplay(state, formats, protocolStates);
            replay = present;
        }
        return present;
    }

    private void count(byte[] bytes, int offset, int length) throws JournalException {
        in.over(bytes, offset + RecordHeader.BYTES, offset + length);
        while (in.hasMore()) {
            counts.add(EntryKind.find(in.readByte()));
            in.skip(in.readInt());
        }
    }

    private void complete(ScanResult found) {
        state.complete(found);
        CheckpointHeader newest = header;
        if (newest != null && newest.position() != Position.BEGINNING && !positionSeen) {
            journalDamages.add(
                    newest.position(),
                    damageAt(
                            newest.position(),
                            "the record is missing at which checkpoint " + newest.number() + " was taken"));
        }
    }

    /** What the newest checkpoint does not hold is in segments that follow each other. */
    private void findMissingSegments() {
        int before = journal.map().segmentOf(from());
        for (Segment segment : journal.segments()) {
            if (before != 0 && segment.number() > before + 1) {
                journalDamages.add(
                        journal.map().firstOf(segment.number()) - 1,
                        new Damage(
                                segment.file().toString(),
                                0,
                                Damage.NOWHERE,
                                "the segments " + (before + 1) + " to " + (segment.number() - 1)
                                        + " before it are missing"));
            }
            before = Math.max(before, segment.number());
        }
    }

    private Damage damageAt(long position, String what) {
        return Damage.at(journal, position, what);
    }
}
