package dev.avocet.core.journal;

/**
 * Finds, during a scan, a place in the log up to which later records say that all is durable. A place a little too
 * early is good enough: it takes one record in so many as they lag behind, and remembers two.
 */
final class DurableMark {
    private static final long NONE = -1;

    private long position = NONE;
    private long nextPosition;
    private long nextSequence;

    void onRecord(long atPosition, long sequence, long durableSequence) {
        if (position == NONE) {
            position = atPosition;
        } else if (nextSequence > durableSequence) {
            return;
        } else {
            position = nextPosition;
        }
        nextPosition = atPosition;
        nextSequence = sequence;
    }

    /** True when there were records. */
    boolean isKnown() {
        return position != NONE;
    }

    /** Of a record; those before it are durable. */
    long position() {
        return position;
    }
}
