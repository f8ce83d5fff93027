package dev.avocet.core.store.reclaim;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.store.place.MemoryBudget;
import dev.avocet.core.store.place.MessageReads;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.store.place.StoredMessageReader;
import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the store as small as what is alive in it: takes checkpoints, drops dead segments, has stragglers moved out of
 * those that are nearly dead. Runs in short passes on the thread {@code store-checkpoint} and never touches a loop but
 * by tasks.
 *
 * <p>{@link #start}, {@link #requestCheckpoint}, {@link #statistics} and {@link #segments} are for any thread.
 */
public final class Reclaimer {
    private static final long PASS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long FAILED_PASS_PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

    private final Journal journal;
    private final SegmentTable table;
    private final StoreSurroundings surroundings;
    private final ReclaimThread thread;
    private final CheckpointSchedule checkpoints;
    private final SegmentDrops drops;
    private final StragglerMoves moves;

    /** @param reads becomes the thread's; not that of the {@link StoredMessageReader} */
    public Reclaimer(
            Journal journal,
            SegmentTable table,
            MessageReads reads,
            StoreSurroundings surroundings,
            ReclaimSettings settings,
            Clock clock,
            ReclaimThread thread) {
        this.journal = journal;
        this.table = table;
        this.surroundings = surroundings;
        this.thread = thread;
        checkpoints = new CheckpointSchedule(surroundings.checkpoints(), table, settings, clock);
        drops = new SegmentDrops(journal, table, checkpoints, surroundings.oldestNeeded());
        Candidates candidates = new Candidates(journal, table, checkpoints, drops, settings, surroundings.diskShort());
        moves = new StragglerMoves(candidates, reads, surroundings, table, settings, clock, thread);
    }

    /** Begins. The journal has begun, and the table knows what recovery has found. */
    public void start() {
        thread.execute(this::passAndGoOn);
    }

    /**
     * Wants a checkpoint soon, whatever the schedule says: for tests, which cannot make it due without letting other
     * things happen.
     */
    void requestCheckpoint() {
        checkpoints.request();
    }

    /** The figures now; those of reading back and of the memory are the reader's and the budget's. */
    public StoreStatistics statistics(StoredMessageReader reader, MemoryBudget memory, long lostMessages) {
        List<Segment> segments = journal.segments();
        long roomBytes = 0;
        long liveBytes = 0;
        for (Segment segment : segments) {
            roomBytes += segment.sizeBytes();
            liveBytes += Math.min(table.liveBytes(segment.number()), segment.sizeBytes());
        }
        return new StoreStatistics(
                segments.size(),
                journal.sizeBytes(),
                table.totalLive(),
                liveBytes,
                roomBytes == 0 ? 0 : 100.0 * liveBytes / roomBytes,
                checkpoints.taken(),
                checkpoints.failures(),
                checkpoints.number(),
                checkpoints.ageNs(),
                checkpoints.durationNs(),
                drops.dropped(),
                drops.failures(),
                moves.movedMessages(),
                moves.movedBytes(),
                reader.reads().messages(),
                reader.reads().bytes(),
                reader.waitingRequests(),
                lostMessages,
                memory.keptBytes());
    }

    /** The segments that there are now, and why. Any thread. */
    public List<SegmentState> segments() {
        List<Segment> segments = journal.segments();
        List<SegmentState> states = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            int number = segment.number();
            states.add(new SegmentState(
                    number,
                    String.valueOf(segment.file().getFileName()),
                    segment.sizeBytes(),
                    table.live(number),
                    Math.min(table.liveBytes(number), segment.sizeBytes()),
                    drops.keeperOf(number, i == segments.size() - 1)));
        }
        return states;
    }

    /** One look at everything. On the thread. */
    void pass() {
        boolean diskShort = surroundings.diskShort().getAsBoolean();
        List<Segment> segments = journal.segments();
        drops.drop(segments);
        checkpoints.takeIfDue(segments, drops.waiting(segments), diskShort);
        drops.drop(journal.segments());
        moves.advance();
    }

    private void passAndGoOn() {
        long pauseNs = FAILED_PASS_PAUSE_NS;
        try {
            pass();
            pauseNs = PASS_INTERVAL_NS;
        } finally {
            thread.schedule(this::passAndGoOn, pauseNs);
        }
    }
}
