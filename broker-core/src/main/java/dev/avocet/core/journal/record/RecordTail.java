package dev.avocet.core.journal.record;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.SegmentMap;

/**
 * Reads the records of a journal in their order, from a position on, while it is appended to: what another journal is
 * fed with. One owner.
 */
public final class RecordTail {
    /** So much is read at a time where there is so much: small records need no read of their own. */
    private static final int WINDOW_BYTES = 64 << 10;

    /** What a record takes of the stream besides itself, at most: the file may end without it. */
    private static final long OVERHEAD_MAX = Position.streamBytes(1);

    private final Journal journal;
    private byte[] record = new byte[RecordHeader.BYTES];
    private int length;
    private long next;

    /** Bytes of one segment that lie before what was said to be the end. */
    private byte[] window = new byte[0];

    private long windowFrom;
    private int windowLength;

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
        int at = load(RecordHeader.BYTES, end);
        requireHeader(window, at, next);
        length = RecordHeader.BYTES + RecordHeader.bodyLength(window, at);
        if (length > journal.maxRecordBytes() || length < RecordHeader.BYTES) {
            throw new JournalException("the record at position " + next + " is damaged: it cannot be read");
        }
        if (record.length < length) {
            record = new byte[Math.max(length, 2 * record.length)];
        }
        int there = (int) Math.min(length, windowFrom + windowLength - next);
        if (there < length && length <= WINDOW_BYTES) {
            at = load(length, end);
            there = length;
        }
        System.arraycopy(window, at, record, 0, there);
        if (there < length) { // the rest of a large one goes past the window
            journal.read(next + there, record, there, length - there);
        }
        if (!RecordHeader.isWhole(record, 0, length)) {
            throw new JournalException("the record at position " + next + " is damaged: its checksum is wrong");
        }
        next = Position.after(next, length);
        return true;
    }

    /** Has so many bytes from {@link #next} on in the window, and returns where they begin in it. */
    private int load(int bytes, long end) throws JournalException {
        if (next >= windowFrom && next + bytes <= windowFrom + windowLength) {
            return (int) (next - windowFrom);
        }
        SegmentMap map = journal.map();
        int segment = map.segmentOf(next); // 0 if it was dropped: the read says so
        long readable = segment == 0 ? 0 : Math.min(end, map.endOf(segment)) - OVERHEAD_MAX - next;
        int count = (int) Math.max(bytes, Math.min(WINDOW_BYTES, readable));
        if (window.length < count) {
            window = new byte[count];
        }
        windowLength = 0; // until it is read
        journal.read(next, window, 0, count);
        windowFrom = next;
        windowLength = count;
        return 0;
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
        requireHeader(header, 0, position);
        return journal.map().placeOf(position);
    }

    private static void requireHeader(byte[] bytes, int at, long position) throws JournalException {
        if (!RecordHeader.hasMagic(bytes, at)
                || !RecordHeader.isLocalWhole(bytes, at)
                || RecordHeader.position(bytes, at) != position) {
            throw new JournalException("no record begins at position " + position);
        }
    }
}
