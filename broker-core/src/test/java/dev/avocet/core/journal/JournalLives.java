package dev.avocet.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.testkit.FaultyStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One file journal through several lives, on a disk with faults: what was written where, what was acknowledged, what
 * may be gone because its segment was dropped. Checks at each start that nothing acknowledged is missing and that
 * nothing else is found.
 */
public final class JournalLives {
    private static final Path DIRECTORY = Path.of("/disk/journal");

    private final FaultyStorage storage;
    private final TreeMap<Long, Long> positions = new TreeMap<>();
    private @Nullable FileJournal journal;
    private int epoch;
    private long sequence;
    private long acknowledged;
    private long droppedUpTo;

    public JournalLives(FaultyStorage storage) {
        this.storage = storage;
    }

    /** The life before is over; what it left is read, checked and continued. */
    public void start() throws JournalException {
        end();
        FileJournal opened = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);
        FoundRecords found = new FoundRecords();
        ScanResult result = opened.scan(Position.BEGINNING, found);
        check(found);
        sequence = Math.max(result.lastSequence(), droppedUpTo);
        positions.tailMap(sequence, false).clear();
        // Only in a life that got so far: a crash while it begins must find the same once more.
        epoch = Math.max(epoch, result.lastEpoch()) + 1;
        opened.begin(epoch);
        journal = opened;
        acknowledged = sequence;
    }

    public void append(int length) throws JournalException {
        byte[] record = LogWriter.record(epoch, sequence + 1, journal().end(), acknowledged, length);
        positions.put(sequence + 1, journal().append(record, length));
        sequence++;
    }

    public void force() throws JournalException {
        journal().force();
        acknowledged = sequence;
    }

    /** Drops the oldest segment if something behind it is acknowledged, as a checkpoint would be. */
    public void dropOldest() throws JournalException {
        List<Segment> segments = journal().segments();
        int oldest = segments.get(0).number();
        long upTo = positions.entrySet().stream()
                .filter(record -> record.getValue() < journal().map().endOf(oldest))
                .mapToLong(record -> record.getKey())
                .max()
                .orElse(0);
        if (segments.size() > 1 && upTo < acknowledged) {
            droppedUpTo = Math.max(droppedUpTo, upTo);
            journal().drop(oldest);
        }
    }

    public FileJournal journal() {
        if (journal == null) {
            throw new IllegalStateException("not started");
        }
        return journal;
    }

    public long acknowledged() {
        return acknowledged;
    }

    public void end() {
        if (journal != null) {
            journal.close();
            journal = null;
        }
    }

    private void check(FoundRecords found) {
        if (found.sequences().isEmpty()) {
            assertThat(acknowledged).as("lost").isLessThanOrEqualTo(droppedUpTo);
            return;
        }
        long first = found.sequences().get(0);
        long last = found.sequences().get(found.sequences().size() - 1);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(first, last));
        assertThat(first).as("first").isLessThanOrEqualTo(droppedUpTo + 1);
        assertThat(last).as("last").isGreaterThanOrEqualTo(acknowledged);
        assertThat(found.positions())
                .containsExactlyElementsOf(
                        positions.subMap(first, true, last, true).values());
    }
}
