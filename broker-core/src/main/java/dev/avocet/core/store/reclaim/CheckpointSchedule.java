package dev.avocet.core.store.reclaim;

import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.store.checkpoint.CheckpointGivenUpException;
import dev.avocet.core.store.checkpoint.CheckpointTaker;
import dev.avocet.core.store.checkpoint.TakenCheckpoint;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.store.write.StoreFailedException;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a checkpoint is taken, and which segments recovery can do without. Two checkpoints are kept, so that
 * recovery has another when one is damaged: what the older of the two needs is needed. It needs the journal from its
 * position on; and it may name references that were over later, so an older segment can go only when it was dead before
 * that checkpoint began.
 *
 * <p>The thread {@code store-checkpoint}; the figures are for any thread.
 */
final class CheckpointSchedule {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointSchedule.class);
    /** However short the disk is: so long between two attempts. */
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    /** So long after one that failed. */
    private static final long FAILED_PAUSE_NS = TimeUnit.SECONDS.toNanos(10);
    /** A checkpoint that takes long is followed by at least so many times as long without. */
    private static final int REST_FACTOR = 3;
    /**
     * After so many times the usual number of segments it rests only as long as it took: else the disk would fill with
     * dead ones.
     */
    private static final int OVERDUE_FACTOR = 2;

    private final CheckpointTaker taker;
    private final SegmentTable table;
    private final ReclaimSettings settings;
    private final Clock clock;
    private final long startedNs;

    /** Segments in which nothing was alive when an attempt began, and the number of the first such attempt. */
    private final Map<Integer, Long> deadSince = new HashMap<>();

    private long attempts;
    private long endedNs;
    private long pauseNs;
    /** The same when segments pile up. */
    private long pauseMinNs;

    private long appendsSeen;
    private int firstSegment;
    private @Nullable Kept older;

    private volatile @Nullable Kept newest;
    private volatile boolean requested;
    private volatile long taken;
    private volatile long failures;

    CheckpointSchedule(CheckpointTaker taker, SegmentTable table, ReclaimSettings settings, Clock clock) {
        this.taker = taker;
        this.table = table;
        this.settings = settings;
        this.clock = clock;
        startedNs = clock.nanoTime();
        endedNs = startedNs;
    }

    /** Wants a checkpoint soon. Any thread. */
    void request() {
        requested = true;
    }

    /**
     * Takes a checkpoint if it is time.
     *
     * @param dropsWaiting dead segments that could go if there were younger checkpoints
     * @param diskShort in which case that is urgent
     */
    void takeIfDue(List<Segment> segments, int dropsWaiting, boolean diskShort) {
        int current = segments.get(segments.size() - 1).number();
        if (firstSegment == 0) {
            firstSegment = current;
        }
        if (isDue(current, dropsWaiting, dropsWaiting > 0 && diskShort)) {
            noteDead(segments);
            take();
        }
    }

    private boolean isDue(int current, int dropsWaiting, boolean urgent) {
        long sinceNs = clock.nanoTime() - endedNs;
        if (urgent || requested) {
            return attempts == 0 || sinceNs >= PAUSE_NS;
        }
        int written = current - newestSegment();
        boolean overdue = written >= OVERDUE_FACTOR * settings.checkpointSegments();
        if (sinceNs < (overdue ? pauseMinNs : pauseNs)) {
            return false;
        }
        boolean muchWritten = written >= settings.checkpointSegments();
        boolean muchDead = dropsWaiting >= settings.checkpointSegments(); // a backlog is being drained
        boolean longAgo = sinceNs >= settings.checkpointInterval().toNanos();
        return muchWritten || muchDead || longAgo && (dropsWaiting > 0 || table.appends() != appendsSeen);
    }

    private int newestSegment() {
        Kept kept = newest;
        return kept == null ? firstSegment : kept.segment;
    }

    private void noteDead(List<Segment> segments) {
        Set<Integer> there = new HashSet<>();
        attempts++;
        for (Segment segment : segments.subList(0, segments.size() - 1)) {
            there.add(segment.number());
            if (table.live(segment.number()) == 0) {
                deadSince.putIfAbsent(segment.number(), attempts);
            }
        }
        deadSince.keySet().retainAll(there);
    }

    private void take() {
        requested = false;
        long beganNs = clock.nanoTime();
        try {
            TakenCheckpoint checkpoint = taker.take();
            long endNs = clock.nanoTime();
            older = newest;
            newest = new Kept(attempts, checkpoint, table.segmentOf(checkpoint.position()), endNs, endNs - beganNs);
            taken = taken + 1;
            pauseMinNs = endNs - beganNs;
            pauseNs = REST_FACTOR * pauseMinNs;
            LOG.debug("Checkpoint {} at {}", checkpoint.number(), Position.show(checkpoint.position()));
        } catch (CheckpointGivenUpException e) {
            LOG.debug("A checkpoint was given up, as the store is closed");
        } catch (StoreFailedException e) {
            onFailed(); // and the part that noticed it has said so
        } catch (IOException e) {
            onFailed();
            LOG.error(
                    "No checkpoint was taken; the last one is still good, but no room is given back: {}",
                    e.getMessage());
        } catch (RuntimeException e) {
            onFailed();
            LOG.error("Internal error: no checkpoint was taken. The previous checkpoint stays valid", e);
        }
        endedNs = clock.nanoTime();
        appendsSeen = table.appends();
    }

    private void onFailed() {
        failures = failures + 1;
        pauseMinNs = FAILED_PAUSE_NS;
        pauseNs = FAILED_PAUSE_NS;
    }

    /**
     * True when the newest checkpoint has everything that the segment's records say: no more is to be seen of it than
     * is alive.
     */
    boolean isCovered(int segment) {
        Kept kept = newest;
        return kept != null && kept.covers(segment);
    }

    /**
     * True when recovery needs no record of the segment, whichever checkpoint it uses, and neither names a reference
     * into it.
     */
    boolean canGo(int segment) {
        Kept kept = older;
        Long since = deadSince.get(segment);
        return kept != null && since != null && since <= kept.attempt && kept.covers(segment);
    }

    /** Checkpoints taken. Any thread, like the following. */
    long taken() {
        return taken;
    }

    long failures() {
        return failures;
    }

    /** Number of the newest checkpoint; 0 when there is none. */
    long number() {
        Kept kept = newest;
        return kept == null ? 0 : kept.checkpoint.number();
    }

    long ageNs() {
        Kept kept = newest;
        return clock.nanoTime() - (kept == null ? startedNs : kept.takenNs);
    }

    long durationNs() {
        Kept kept = newest;
        return kept == null ? 0 : kept.durationNs;
    }

    /** A checkpoint, and the number of the attempt that made it. */
    private record Kept(long attempt, TakenCheckpoint checkpoint, int segment, long takenNs, long durationNs) {
        boolean covers(int other) {
            return other < segment;
        }
    }
}
