package dev.avocet.core.journal.log;

import dev.avocet.core.journal.FilePlace;

/**
 * Finds, during a scan, a place in the log up to which later records say that all is durable. A place a little too
 * early is good enough: it takes one record in so many as they lag behind, and remembers two.
 */
public final class DurableMark {
    private static final long NONE = -1;

    private long place = NONE;
    private long nextPlace;
    private long nextSequence;

    void onRecord(long atPlace, long sequence, long durableSequence) {
        if (place == NONE) {
            place = atPlace;
        } else if (nextSequence > durableSequence) {
            return;
        } else {
            place = nextPlace;
        }
        nextPlace = atPlace;
        nextSequence = sequence;
    }

    /** True when there were records. */
    boolean isKnown() {
        return place != NONE;
    }

    /** {@link FilePlace} of a record; those before it are durable. */
    long place() {
        return place;
    }
}
