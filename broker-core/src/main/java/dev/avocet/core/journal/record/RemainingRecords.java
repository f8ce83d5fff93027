package dev.avocet.core.journal.record;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.SegmentMap;
import java.util.function.IntPredicate;

/**
 * Reads the records that are left of a journal whose dead segments are dropped, in their order: what a store is made of
 * that begins with a checkpoint. From the checkpoint's position on there is no hole. One owner.
 */
public final class RemainingRecords {
    private final Journal journal;
    private final long wholeFrom;
    private final IntPredicate isAlive;
    private RecordTail tail;
    private boolean begun;

    /**
     * @param wholeFrom position of the checkpoint
     * @param isAlive whether something still refers to a segment; others are left out, where they end before the
     *     checkpoint's position
     */
    public RemainingRecords(Journal journal, long wholeFrom, IntPredicate isAlive) {
        this.journal = journal;
        this.wholeFrom = wholeFrom;
        this.isAlive = isAlive;
        tail = new RecordTail(journal, Position.FIRST);
    }

    /** Up to where it has come: the position of the next record, or of a hole before it. */
    public long position() {
        return tail.position();
    }

    /**
     * Reads the next record.
     *
     * @param end where to stop
     * @return false when there is none before {@code end}
     * @throws JournalException when it cannot be read, or is missing though the checkpoint needs it
     */
    public boolean next(long end) throws JournalException {
        long unused = skipHole(end);
        return tail.next(end);
    }

    /** Skips a hole, if there is one, and returns the position of the next record. */
    public long skipHole(long end) throws JournalException {
        long at = next(tail.position(), end);
        if (at != tail.position()) {
            tail = new RecordTail(journal, at);
        }
        begun = true;
        return at;
    }

    /** Whether a hole lies before the next record. */
    public boolean isBeforeHole(long end) throws JournalException {
        return next(tail.position(), end) != tail.position();
    }

    private long next(long from, long end) throws JournalException {
        long at = from;
        while (at < end) {
            SegmentMap map = journal.map();
            int segment = map.segmentOf(at);
            boolean isAtFront = segment != 0 && (at == map.firstOf(segment) || !begun);
            if (isAtFront && map.endOf(segment) <= wholeFrom && !isAlive.test(segment)) {
                at = map.endOf(segment);
            } else if (segment != 0 && (map.endOf(segment) == map.firstOf(segment + 1) || isRecord(at, segment, map))) {
                return at;
            } else {
                at = firstBehind(at, map, end);
            }
        }
        return at;
    }

    /** A segment may be longer than its records, and the next one may be gone. */
    private boolean isRecord(long at, int segment, SegmentMap map) {
        if (segment == map.last()) {
            return true;
        }
        try {
            return RecordTail.requireRecord(journal, at) != 0;
        } catch (JournalException e) {
            return false;
        }
    }

    private long firstBehind(long at, SegmentMap map, long end) throws JournalException {
        long first = end;
        for (Segment segment : journal.segments()) {
            long its = map.firstOf(segment.number());
            if (its > at) {
                first = Math.min(first, its);
            }
        }
        if (at > wholeFrom || first > wholeFrom) {
            throw new JournalException("the journal has no record at position " + at
                    + ", and the checkpoint at position " + wholeFrom + " needs it");
        }
        return first;
    }

    /** The record that was read last; valid until the next one is. */
    public byte[] record() {
        return tail.record();
    }

    /** Its bytes, header included. */
    public int length() {
        return tail.length();
    }
}
