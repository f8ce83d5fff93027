package dev.avocet.core.journal;

/**
 * A place in the journal as one {@code long}: segment number above, byte offset in the segment's file below. Later
 * records have greater positions.
 */
public final class Position {
    /** Before everything, and the position of what is not in the journal. */
    public static final long BEGINNING = 0;

    private Position() {}

    public static long of(int segment, long offset) {
        return (long) segment << 32 | offset;
    }

    public static int segment(long position) {
        return (int) (position >>> 32);
    }

    public static long offset(long position) {
        return position & 0xFFFF_FFFFL;
    }

    /** For people: {@code 12:4096}. */
    public static String show(long position) {
        return segment(position) + ":" + offset(position);
    }
}
