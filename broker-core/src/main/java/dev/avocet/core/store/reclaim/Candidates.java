package dev.avocet.core.store.reclaim;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.store.place.SegmentTable;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Chooses which segment is emptied next: the one with the smallest live share, if that is small enough, and if the
 * store is larger than it need be. The thread {@code store-checkpoint}.
 */
final class Candidates {
    /** A store may take so many times what is alive in it, ... */
    private static final int SIZE_FACTOR = 2;
    /** ... and so many segments more, without being too large. */
    private static final int SIZE_SEGMENTS = 2;
    /** With a full disk, what is to be written first must be so much less. */
    private static final int SHORTAGE_DIVISOR = 4;

    private final Journal journal;
    private final SegmentTable table;
    private final CheckpointSchedule checkpoints;
    private final SegmentDrops drops;
    private final ReclaimSettings settings;
    private final BooleanSupplier diskShort;

    Candidates(
            Journal journal,
            SegmentTable table,
            CheckpointSchedule checkpoints,
            SegmentDrops drops,
            ReclaimSettings settings,
            BooleanSupplier diskShort) {
        this.journal = journal;
        this.table = table;
        this.checkpoints = checkpoints;
        this.drops = drops;
        this.settings = settings;
        this.diskShort = diskShort;
    }

    /**
     * The segment to empty next, or 0.
     *
     * @param resting segments to leave alone
     */
    int choose(Set<Integer> resting) {
        List<Segment> segments = journal.segments();
        if (!isTooLarge(segments)) {
            return 0;
        }
        double least = settings.livePercentMax() / (diskShort.getAsBoolean() ? 100.0 * SHORTAGE_DIVISOR : 100.0);
        int chosen = 0;
        for (Segment segment : segments.subList(0, segments.size() - 1)) {
            int number = segment.number();
            double share = (double) table.liveBytes(number) / segment.sizeBytes();
            if (share < least && table.live(number) > 0 && canGoOnceEmpty(number) && !resting.contains(number)) {
                least = share;
                chosen = number;
            }
        }
        return chosen;
    }

    private boolean canGoOnceEmpty(int segment) {
        return checkpoints.isCovered(segment) && !drops.isPinned(segment);
    }

    /** Dead segments do not count: they go without being emptied. */
    private boolean isTooLarge(List<Segment> segments) {
        long takenBytes = 0;
        long liveBytes = 0;
        for (Segment segment : segments) {
            if (table.live(segment.number()) > 0) {
                takenBytes += segment.sizeBytes();
                liveBytes += Math.min(table.liveBytes(segment.number()), segment.sizeBytes());
            }
        }
        long segmentBytes = segments.get(segments.size() - 1).sizeBytes();
        return takenBytes > SIZE_FACTOR * liveBytes + SIZE_SEGMENTS * segmentBytes;
    }
}
