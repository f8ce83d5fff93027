package dev.avocet.core.journal;

import dev.avocet.core.journal.former.FormerJournal;

/**
 * A place in the files of a journal as one {@code long}: the segment's number above, the byte offset in its file below.
 * It is this node's own. In stores of the first format ({@link FormerJournal}) it was the position.
 */
public final class FilePlace {
    private FilePlace() {}

    public static long of(int segment, long offset) {
        return (long) segment << 32 | offset;
    }

    public static int segment(long place) {
        return (int) (place >>> 32);
    }

    public static long offset(long place) {
        return place & 0xFFFF_FFFFL;
    }

    /** For people: {@code 12:4096}. */
    public static String show(long place) {
        return segment(place) + ":" + offset(place);
    }
}
