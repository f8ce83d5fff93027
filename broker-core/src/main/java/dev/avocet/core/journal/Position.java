package dev.avocet.core.journal;

/**
 * A place in the log as one {@code long}: the bytes of the stream of records before it. It is the same on every node
 * and in both kinds of journal, and grows over segments and lives without gaps. {@link SegmentMap} says in which
 * segment a position lies.
 *
 * <p>A record takes {@link #streamBytes} of the stream. That is a rule of its length alone, and what it takes in the
 * file of either journal, so that positions and offsets differ by the same number all over a segment.
 */
public final class Position {
    /** Before everything, and the position of what is not in the journal. */
    public static final long BEGINNING = 0;

    /** Of the first record of a store. */
    public static final long FIRST = 8;

    /** Positions of records are multiples of this. */
    public static final int ALIGNMENT = 8;

    /** What a record takes besides itself: a mark of eight bytes, and four that Chronicle puts in front. */
    private static final int OVERHEAD = 12;

    private Position() {}

    /** What a record of this length, header included, takes of the stream. */
    public static long streamBytes(int recordBytes) {
        return (long) recordBytes + OVERHEAD + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** The position of the record behind one. */
    public static long after(long position, int recordBytes) {
        return position + streamBytes(recordBytes);
    }

    /** For people. */
    public static String show(long position) {
        return Long.toString(position);
    }
}
