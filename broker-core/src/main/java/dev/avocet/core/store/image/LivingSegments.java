package dev.avocet.core.store.image;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.store.place.SegmentReleases;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.store.replay.LivePlaceVisitor;
import dev.avocet.core.store.replay.RecoveredState;

/**
 * Counts what is alive in each segment, and sees whether all of it is there, in one walk: clients wait for that when a
 * standby takes over. One owner.
 */
final class LivingSegments implements LivePlaceVisitor {
    private final SegmentMap map;
    private final SegmentReleases counts;
    private long furthest;

    private LivingSegments(SegmentMap map) {
        this.map = map;
        counts = new SegmentReleases(new SegmentTable(() -> map));
    }

    /**
     * Counts all of a state.
     *
     * @param map of the segments that are there
     * @param end of the log
     * @throws JournalException when a message is alive whose segment is not there
     */
    static LivingSegments of(RecoveredState state, SegmentMap map, long end) throws JournalException {
        LivingSegments living = new LivingSegments(map);
        state.forEachPlace(living);
        if (living.furthest >= end || living.hasStrays()) {
            MissingSegments missing = new MissingSegments(map, end);
            state.forEachPlace(missing);
            missing.throwIfAny();
        }
        return living;
    }

    @Override
    public void onPlace(long position, int storedBytes) {
        counts.add(position, storedBytes);
        furthest = Math.max(furthest, position);
    }

    private boolean hasStrays() {
        boolean[] found = {false};
        counts.forEach((segment, references, bytes) -> found[0] |= map.firstOf(segment) == Long.MAX_VALUE);
        return found[0];
    }

    /** What a store counts from. */
    SegmentReleases counts() {
        return counts;
    }
}
