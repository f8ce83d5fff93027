package dev.avocet.core.store.inspect;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.former.FormerJournal;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.store.replay.RecoveredState;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Copies the messages that something alive refers to from one journal into another, in their order, and knows where
 * each lies then. Twenty bytes for each. One owner.
 */
public final class MovedPlaces {
    private static final int RECORD_BYTES = 256 * 1024;

    private final long[] from;
    private final int[] storedBytes;
    private final long[] to;
    private long bytes;

    /** @param state whose messages are to be copied */
    MovedPlaces(RecoveredState state) {
        long[] all = new long[Math.toIntExact(state.places())];
        int[] count = new int[1];
        state.forEachPlace((position, length) -> all[count[0]++] = position);
        from = Arrays.stream(all).sorted().distinct().toArray();
        storedBytes = new int[from.length];
        to = new long[from.length];
        state.forEachPlace((position, length) -> storedBytes[Arrays.binarySearch(from, position)] = length);
    }

    /** Messages. */
    int count() {
        return from.length;
    }

    /** What they take. */
    long bytes() {
        return bytes;
    }

    /** Copies them; what they are is checked. Returns the sequence of the last record. */
    long copy(FormerJournal source, Journal target, int epoch, long firstSequence) throws JournalException {
        RecordBuffer record = new RecordBuffer(RECORD_BYTES);
        record.reset(RecordHeader.BYTES);
        CRC32C checksum = new CRC32C();
        long sequence = firstSequence;
        int entries = 0;
        for (int i = 0; i < from.length; i++) {
            byte[] entry = new byte[storedBytes[i]];
            source.read(from[i], entry, 0, entry.length);
            if (!MessageEntry.isWhole(entry, 0, entry.length, checksum)) {
                throw new JournalException("a message at " + source.show(from[i]) + " is damaged: repair the store"
                        + " with the version of the broker that wrote it, then upgrade it");
            }
            int room = Math.min(RECORD_BYTES, target.maxRecordBytes());
            if (entries > 0 && record.length() + entry.length > room) {
                append(record, target, epoch, sequence++, entries);
                entries = 0;
            }
            if (RecordHeader.BYTES + entry.length > target.maxRecordBytes()) {
                throw new JournalException("a message of " + entry.length + " bytes does not fit a segment: make"
                        + " 'store.segmentBytes' as large as it was when the message came");
            }
            to[i] = target.end() + record.length();
            record.putRaw(entry, 0, entry.length);
            bytes += entry.length;
            entries++;
        }
        if (entries > 0) {
            append(record, target, epoch, sequence++, entries);
        }
        return sequence - 1;
    }

    /** True when a message that lay at this place was copied. */
    public boolean has(long position) {
        return Arrays.binarySearch(from, position) >= 0;
    }

    /** Where the message lies that lay here. */
    public long now(long position) {
        return to[Arrays.binarySearch(from, position)];
    }

    static void append(RecordBuffer record, Journal target, int epoch, long sequence, int entries)
            throws JournalException {
        RecordHeader.write(record.array(), record.length(), epoch, sequence, target.end(), sequence - 1, entries);
        target.append(record.array(), record.length());
        target.force();
        record.reset(RecordHeader.BYTES);
    }
}
