package dev.avocet.core.journal.record;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;

/**
 * Reads the records of a journal in their order, from a position on, while it is appended to: what another journal is
 * fed with. One owner.
 */
public final class RecordTail {
    private final Journal journal;
    private byte[] record = new byte[RecordHeader.BYTES];
    private int length;
    private long next;

    /** @param from position of a record, or {@link Journal#end} */
    public RecordTail(Journal journal, long from) {
        this.journal = journal;
        next = from;
    }

    /** Position of the record that is read next. */
    public long position() {
        return next;
    }

    /**
     * Reads the next record.
     *
     * @param end where to stop: {@link Journal#end}, or what is durable of it
     * @return false when there is none before {@code end}
     * @throws JournalException when it cannot be read, because it was dropped, for example
     */
    public boolean next(long end) throws JournalException {
        if (next >= end) {
            return false;
        }
        journal.read(next, record, 0, RecordHeader.BYTES);
        requireHeader(record, next);
        length = RecordHeader.BYTES + RecordHeader.bodyLength(record, 0);
        if (length > journal.maxRecordBytes() || length < RecordHeader.BYTES) {
            throw new JournalException("the record at position " + next + " is damaged: it cannot be read");
        }
        if (record.length < length) {
            byte[] larger = new byte[Math.max(length, 2 * record.length)];
            System.arraycopy(record, 0, larger, 0, RecordHeader.BYTES);
            record = larger;
        }
        int bodyLength = length - RecordHeader.BYTES;
        if (bodyLength > 0) {
            journal.read(next + RecordHeader.BYTES, record, RecordHeader.BYTES, bodyLength);
        }
        if (!RecordHeader.isWhole(record, 0, length)) {
            throw new JournalException("the record at position " + next + " is damaged: its checksum is wrong");
        }
        next = Position.after(next, length);
        return true;
    }

    /** The record that was read last; valid until the next one is. */
    public byte[] record() {
        return record;
    }

    /** Its bytes, header included. */
    public int length() {
        return length;
    }

    /** The {@link FilePlace} of a record; {@link JournalException} when none begins at this position. */
    public static long requireRecord(Journal journal, long position) throws JournalException {
        byte[] header = new byte[RecordHeader.BYTES];
        journal.read(position, header, 0, header.length);
        requireHeader(header, position);
        return journal.map().placeOf(position);
    }

    private static void requireHeader(byte[] header, long position) throws JournalException {
        if (!RecordHeader.hasMagic(header, 0)
                || !RecordHeader.isLocalWhole(header, 0)
                || RecordHeader.position(header, 0) != position) {
            throw new JournalException("no record begins at position " + position);
        }
    }
}
