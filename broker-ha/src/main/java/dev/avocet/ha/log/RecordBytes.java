package dev.avocet.ha.log;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.journal.record.RecordTail;
import dev.avocet.ha.role.EpochStarts;
import dev.avocet.ha.role.PairMessage;
import java.io.ByteArrayOutputStream;

/** Records as they travel: whole records behind each other, of which the first 16 bytes each mean nothing elsewhere. */
public final class RecordBytes {
    private RecordBytes() {}

    /**
     * Whether these are whole records that follow each other from the position on that the message names, to the one
     * that it names. Any thread.
     */
    public static boolean areWhole(PairMessage.Records records) {
        if (!(records.records() instanceof byte[] bytes)) {
            return false;
        }
        long position = records.from();
        int at = 0;
        while (at < bytes.length) {
            if (!RecordHeader.isWhole(bytes, at, bytes.length)
                    || RecordHeader.position(bytes, at) != LogPositions.inJournal(position)
                    || RecordHeader.epoch(bytes, at) > records.epoch()) {
                return false;
            }
            int length = lengthOf(bytes, at);
            position += Position.streamBytes(length);
            at += length;
        }
        return position == records.end();
    }

    /** The length of the record that begins there. */
    static int lengthOf(byte[] bytes, int at) {
        return RecordHeader.BYTES + RecordHeader.bodyLength(bytes, at);
    }

    /** Where the epochs begin once these records are there, the first of them at that position. */
    static EpochStarts startsWith(EpochStarts before, long from, byte[] bytes) {
        EpochStarts starts = before;
        long position = from;
        for (int at = 0; at < bytes.length; at += lengthOf(bytes, at)) {
            starts = starts.with(RecordHeader.epoch(bytes, at), position);
            position += Position.streamBytes(lengthOf(bytes, at));
        }
        return starts;
    }

    /**
     * Reads some records, one at least if there is any.
     *
     * @param end up to where
     * @param bytesMax more than that only for a single record
     * @return empty when there is none before {@code end}
     */
    static PairMessage.Records read(RecordTail tail, long epoch, long end, int bytesMax) throws JournalException {
        long from = tail.position();
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytesMax / 4);
        while (out.size() < bytesMax && tail.next(end)) {
            out.write(tail.record(), 0, tail.length());
        }
        return new PairMessage.Records(
                epoch, LogPositions.ofJournal(from), LogPositions.ofJournal(tail.position()), out.toByteArray());
    }
}
