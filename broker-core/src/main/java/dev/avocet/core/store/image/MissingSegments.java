package dev.avocet.core.store.image;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.store.replay.LivePlaceVisitor;

/** Looks for living messages in segments that are not there. */
final class MissingSegments implements LivePlaceVisitor {
    private final SegmentMap map;
    private final long end;
    private long references;
    private long first = Long.MAX_VALUE;
    private long last;

    /**
     * @param map of the segments that are there
     * @param end of the log
     */
    MissingSegments(SegmentMap map, long end) {
        this.map = map;
        this.end = end;
    }

    @Override
    public void onPlace(long position, int storedBytes) {
        if (position >= end || map.segmentOf(position) == 0) {
            first = Math.min(first, position);
            last = Math.max(last, position);
            references++;
        }
    }

    /** Refuses to go on when a message was in a segment that is not there. */
    void throwIfAny() throws JournalException {
        if (references > 0) {
            throw new JournalException(
                    "segments of the journal are missing, in which, at the positions " + first + " to "
                            + last + ", " + references
                            + " messages lie that were not yet delivered: put the files back, or have the store repaired, which gives"
                            + " the messages up");
        }
    }
}
