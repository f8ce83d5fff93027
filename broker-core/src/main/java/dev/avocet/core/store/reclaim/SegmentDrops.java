package dev.avocet.core.store.reclaim;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.store.place.SegmentTable;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives dead segments back to the disk. The thread {@code store-checkpoint}; the figures are for any thread. */
final class SegmentDrops {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentDrops.class);

    private final Journal journal;
    private final SegmentTable table;
    private final CheckpointSchedule checkpoints;
    private final LongSupplier oldestNeeded;
    /**
     * Segments that could not be dropped, and how many checkpoints there were: each further checkpoint is a further
     * chance.
     */
    private final Map<Integer, Long> failed = new ConcurrentHashMap<>();

    private final Set<Integer> miscounted = new HashSet<>();
    private volatile long dropped;
    private volatile long failures;

    SegmentDrops(Journal journal, SegmentTable table, CheckpointSchedule checkpoints, LongSupplier oldestNeeded) {
        this.journal = journal;
        this.table = table;
        this.checkpoints = checkpoints;
        this.oldestNeeded = oldestNeeded;
    }

    /** True when another part needs the segment. Any thread. */
    boolean isPinned(int segment) {
        return journal.map().endOf(segment) > oldestNeeded.getAsLong();
    }

    /** Dead segments that wait for nothing but checkpoints. */
    int waiting(List<Segment> segments) {
        return (int) closed(segments).stream()
                .map(Segment::number)
                .filter(segment -> table.live(segment) == 0
                        && !checkpoints.canGo(segment)
                        && !isPinned(segment)
                        && !failed.containsKey(segment))
                .count();
    }

    /** Drops what can go. */
    void drop(List<Segment> segments) {
        for (Segment segment : closed(segments)) {
            int number = segment.number();
            long live = table.live(number);
            if (live < 0) {
                reportMiscount(number, live);
            } else if (live == 0 && checkpoints.canGo(number) && !isPinned(number) && mayTry(number)) {
                drop(segment);
            }
        }
    }

    /** Why a segment is there. Any thread. */
    SegmentState.Keeper keeperOf(int segment, boolean isWritten) {
        long live = table.live(segment);
        if (isWritten) {
            return SegmentState.Keeper.WRITER;
        }
        if (live != 0) {
            return live > 0 ? SegmentState.Keeper.MESSAGES : SegmentState.Keeper.MISCOUNT;
        }
        if (failed.containsKey(segment)) {
            return SegmentState.Keeper.DISK;
        }
        return isPinned(segment) ? SegmentState.Keeper.READER : SegmentState.Keeper.CHECKPOINT;
    }

    /** Segments given back. Any thread. */
    long dropped() {
        return dropped;
    }

    /** Segments that could not be given back, each counted once. Any thread. */
    long failures() {
        return failures;
    }

    private static List<Segment> closed(List<Segment> segments) {
        return segments.subList(0, segments.size() - 1);
    }

    private boolean mayTry(int segment) {
        Long taken = failed.get(segment);
        return taken == null || taken < checkpoints.taken();
    }

    private void drop(Segment segment) {
        int number = segment.number();
        try {
            journal.drop(number);
            table.forget(number);
            failed.remove(number);
            dropped = dropped + 1;
            LOG.debug("Segment {} is dead and was dropped", number);
        } catch (JournalException e) {
            if (failed.put(number, checkpoints.taken()) == null) {
                failures = failures + 1;
                LOG.error("Segment {} is dead, but its room cannot be given back: {}", number, segment.file(), e);
            }
        }
    }

    private void reportMiscount(int segment, long live) {
        if (miscounted.add(segment)) {
            failures = failures + 1;
            LOG.error("Segment {} has {} references, which cannot be: it is kept. Please report this", segment, live);
        }
    }
}
