package dev.avocet.core.store.reclaim;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.store.place.DamagedMessageException;
import dev.avocet.core.store.place.MessageReads;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties segments that hold little that is alive by writing that again, so that they can be dropped: one segment at a
 * time, one batch at a time, and not more bytes a second than allowed. The thread {@code store-checkpoint}; the figures
 * are for any thread.
 */
final class StragglerMoves {
    private static final Logger LOG = LoggerFactory.getLogger(StragglerMoves.class);

    static final int BATCH_MESSAGES = 256;
    static final int BATCH_BYTES = 1 << 20;
    /** The most references looked up at a time. */
    static final int FOUND_MAX = 1 << 16;
    /** So long a segment is left alone that is still alive after everything found in it was moved. */
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(30);

    private static final Comparator<Homed> BY_LOOP_AND_POSITION =
            Comparator.comparingInt(Homed::loop).thenComparingLong(homed -> homed.survivor.position());

    private final Candidates candidates;
    private final MessageReads reads;
    private final StoreSurroundings surroundings;
    private final SegmentTable table;
    private final ReclaimSettings settings;
    private final Clock clock;
    private final ReclaimThread thread;
    private final MoveRate rate;
    private final Map<Integer, Long> restUntilNs = new HashMap<>();

    private int segment;
    private List<Survivor> found = List.of();
    private int next;
    /** What the loops have been asked for and have not answered: a {@link Question} or a {@link MoveBatch}. */
    private @Nullable Object outstanding;

    private long askedNs;
    private long liveBefore;
    private boolean delayed;
    private boolean failed;
    private volatile long movedMessages;
    private volatile long movedBytes;

    StragglerMoves(
            Candidates candidates,
            MessageReads reads,
            StoreSurroundings surroundings,
            SegmentTable table,
            ReclaimSettings settings,
            Clock clock,
            ReclaimThread thread) {
        this.candidates = candidates;
        this.reads = reads;
        this.surroundings = surroundings;
        this.table = table;
        this.settings = settings;
        this.clock = clock;
        this.thread = thread;
        this.rate = new MoveRate(settings.moveBytesPerSecond(), clock);
    }

    /** References whose messages were written again. Any thread. */
    long movedMessages() {
        return movedMessages;
    }

    /** What these took. Any thread. */
    long movedBytes() {
        return movedBytes;
    }

    /** Goes on with what is under way, or looks for more to do. */
    void advance() {
        if (outstanding != null
                && clock.nanoTime() - askedNs >= settings.moveTimeout().toNanos()) {
            LOG.warn("The loops do not answer: segment {} is not emptied for now", segment);
            finish();
        }
        if (failed || outstanding != null || delayed) {
            return;
        }
        if (segment == 0) {
            begin();
        } else {
            moveNext();
        }
    }

    private void begin() {
        restUntilNs.values().removeIf(until -> until - clock.nanoTime() <= 0);
        int chosen = candidates.choose(restUntilNs.keySet());
        if (chosen != 0) {
            segment = chosen;
            LOG.debug("Segment {} is nearly dead: {} references are moved", segment, table.live(segment));
            find();
        }
    }

    private void find() {
        Question question = new Question();
        liveBefore = table.live(segment);
        outstanding = question;
        askedNs = clock.nanoTime();
        surroundings.survivors().find(segment, FOUND_MAX, list -> thread.execute(() -> onFound(question, list)));
    }

    private void onFound(Question question, List<Survivor> survivors) {
        if (outstanding != question) {
            return; // too late
        }
        outstanding = null;
        found = survivors.stream()
                .distinct() // two loops may both have seen a queue that went from the one to the other
                .map(Homed::of)
                .sorted(BY_LOOP_AND_POSITION)
                .map(Homed::survivor)
                .toList();
        next = 0;
        if (found.isEmpty()) {
            finish();
        } else {
            moveNext();
        }
    }

    private void moveNext() {
        if (table.live(segment) <= 0) { // all that was found is over, and the segment may have been dropped since
            finish();
            begin();
            return;
        }
        if (next == found.size()) {
            continueOrFinish();
            return;
        }
        long delayNs = rate.delayNs();
        if (delayNs > 0) {
            delayed = true;
            thread.schedule(this::onDelayOver, delayNs);
            return;
        }
        MoveBatch batch = nextBatch();
        if (failed) {
            finish();
        } else {
            send(batch);
        }
    }

    private void onDelayOver() {
        delayed = false;
        if (segment != 0 && outstanding == null) {
            moveNext();
        }
    }

    private void continueOrFinish() {
        boolean moreToFind = found.size() >= FOUND_MAX;
        if (moreToFind && table.live(segment) < liveBefore) {
            find();
        } else {
            finish();
            begin(); // where much is to be done, the next one does not wait for the next pass
        }
    }

    private void finish() {
        if (table.live(segment) > 0) {
            restUntilNs.put(segment, clock.nanoTime() + REST_NS);
        }
        segment = 0;
        found = List.of();
        next = 0;
        outstanding = null;
    }

    /** Reads what goes to one loop next: as much as is allowed, and at least one message. */
    private MoveBatch nextBatch() {
        IoLoop loop = found.get(next).holder().loop();
        List<Survivor> survivors = new ArrayList<>();
        long bytes = 0;
        while (next < found.size() && survivors.size() < BATCH_MESSAGES) {
            Survivor survivor = found.get(next);
            bytes += survivor.storedBytes();
            boolean fits = survivors.isEmpty() || bytes <= BATCH_BYTES;
            if (!fits || survivor.holder().loop() != loop) {
                break;
            }
            survivors.add(survivor);
            next++;
        }
        return new MoveBatch(loop, survivors, read(survivors), this::onMoved);
    }

    private @Nullable StoredMessage[] read(List<Survivor> survivors) {
        int count = survivors.size();
        @Nullable StoredMessage[] messages = new StoredMessage[count];
        long[] positions = survivors.stream().mapToLong(Survivor::position).toArray();
        int[] storedBytes = survivors.stream().mapToInt(Survivor::storedBytes).toArray();
        reads.read(positions, storedBytes, count, messages, this::onUnreadable);
        return messages;
    }

    private void onUnreadable(long position, JournalException cause) {
        if (!failed && !(cause instanceof DamagedMessageException)) { // which is its holder's to decide
            failed = true;
            LOG.error("The message at {} cannot be read to be moved", Position.show(position), cause);
            surroundings.onFailure().accept(cause);
        }
    }

    private void send(MoveBatch batch) {
        outstanding = batch;
        askedNs = clock.nanoTime();
        rate.spend(batch.bytes());
        try {
            batch.loop().execute(batch);
        } catch (RejectedExecutionException e) {
            LOG.debug(
                    "Loop {} has ended: nothing is moved there any more",
                    batch.loop().index());
            finish();
        }
    }

    /** Any thread. */
    private void onMoved(MoveBatch batch) {
        thread.execute(() -> {
            movedMessages = movedMessages + batch.size();
            movedBytes = movedBytes + batch.bytes();
            if (outstanding == batch) {
                outstanding = null;
                moveNext();
            }
        });
    }

    /** One search for survivors. */
    private static final class Question {}

    /** A survivor, and where it was at home when it was found: while they are sorted a holder may change loops. */
    private record Homed(Survivor survivor, int loop) {
        static Homed of(Survivor survivor) {
            return new Homed(survivor, survivor.holder().loop().index());
        }
    }
}
