package dev.avocet.core.journal;

import dev.avocet.core.journal.record.RecordHeader;
import java.util.List;
import java.util.UUID;

/**
 * An append-only log of records on disk, divided into segments. Knows records (see {@link RecordHeader}) and not what
 * is in them.
 *
 * <p>Life: opened by its implementation, {@link #scan scanned} by recovery, {@link #begin begun} once, then appended
 * to. Nothing is ever appended behind records of an earlier life: {@code begin} starts a new segment.
 *
 * <p>Positions ({@link Position}) are the same on every node that has the record; in which segment one lies is the
 * node's own affair, and {@link #map} knows it.
 *
 * <p>Threads: {@link #append} and {@link #begin} belong to the journal thread, {@link #force} to one thread at a time,
 * which may run beside {@code append}; {@link #read}, {@link #map}, {@link #end}, {@link #segments}, {@link #hasSpare},
 * {@link #hurry} and {@link #sizeBytes} are for any thread; {@link #drop} and
 * {@link #prepareSpare} for any one thread at a time.
 *
 * <p>Errors: every failure of the storage is a {@link JournalException}. After one from {@code append} or {@code force}
 * nothing more may be acknowledged: the caller stops.
 */
public interface Journal extends AutoCloseable {
    /**
     * Shows the visitor every valid record from a position on, in order, skipping what a crash has left unfinished.
     * Before {@link #begin} only.
     *
     * @param from position of a record, or {@link Position#BEGINNING}
     * @return what was found at the end
     * @throws CorruptJournalException when a record is damaged that had been durable
     */
    ScanResult scan(long from, RecordVisitor visitor) throws JournalException;

    /**
     * The same for callers that want to know all damage and to see what is left, and will not begin the journal after
     * that. A journal that cannot go on behind damage ends there.
     *
     * @param damages hears of damage, and decides whether the scan goes on
     */
    default ScanResult scan(long from, RecordVisitor visitor, DamageVisitor damages) throws JournalException {
        try {
            return scan(from, visitor);
        } catch (CorruptJournalException e) {
            damages.onDamage(from, e);
            return new ScanResult(0, 0, 0, 0);
        }
    }

    /**
     * Makes durable what is there, since a scan may have seen what no force had reached, and starts a new segment
     * behind it. What is there must have been scanned, to its end.
     *
     * @param epoch of the records to come, higher than that of any record that is there
     * @throws JournalFullException when there is no room for it
     */
    void begin(int epoch) throws JournalException;

    /** The store to which the journal belongs, and all that lies beside it. Any thread. */
    UUID storeId();

    /** Where the next record will lie, once the journal was scanned. Any thread. */
    long end();

    /** Which segment holds which positions. Any thread; another one after each change. */
    SegmentMap map();

    /**
     * Appends a record, header included, as {@link RecordHeader} lays it out. A record never spans segments; the
     * segment is changed when it does not fit.
     *
     * @param record taken over in full before the call returns; its position is {@link #end}. The journal writes the
     *     node's own part of the header into it
     * @param length bytes of the record, at most {@link #maxRecordBytes}
     * @return the position of the record's first byte
     * @throws JournalFullException when there is no room for the next segment, not even in the reserve
     */
    long append(byte[] record, int length) throws JournalException;

    /** Returns when every record whose append returned before the call is durable. */
    void force() throws JournalException;

    /** Reads bytes that were appended. Any thread; a read of a dropped segment is a {@link JournalException}. */
    void read(long position, byte[] target, int offset, int length) throws JournalException;

    /** The largest record, header included, in bytes. */
    int maxRecordBytes();

    /** All segments, oldest first; the last one is being appended to. */
    List<Segment> segments();

    /** Removes a segment and gives its room back. Never the last one. */
    void drop(int segment) throws JournalException;

    /**
     * Tries to have room set aside for the next segment. False when the disk has none; the caller tries again later.
     * Blocks on the disk.
     */
    boolean prepareSpare() throws JournalException;

    /**
     * The end is near: a spare that is being prepared, or will be, has its room and not all its zeros, so that no
     * thread waits for them. Any thread.
     */
    default void hurry() {}

    /** True while the next segment has its room: what is left of the present one is then not all there is. */
    boolean hasSpare();

    /** For people: a position, and where it lies in the files. Any thread. */
    default String show(long position) {
        long place = map().placeOf(position);
        for (Segment segment : segments()) {
            if (segment.number() == FilePlace.segment(place)) {
                return position + " (" + segment.file() + ", byte " + FilePlace.offset(place) + ")";
            }
        }
        return Position.show(position);
    }

    /** Bytes of disk in use, the reserve included. */
    default long sizeBytes() {
        return segments().stream().mapToLong(Segment::sizeBytes).sum();
    }

    /** Closes the files without forcing them. */
    @Override
    void close();
}
