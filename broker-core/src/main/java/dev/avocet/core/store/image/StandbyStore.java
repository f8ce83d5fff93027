package dev.avocet.core.store.image;

import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.commit.CommitSetup;
import dev.avocet.core.journal.record.RecordTail;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.store.checkpoint.CheckpointStop;
import dev.avocet.core.store.checkpoint.TakenCheckpoint;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The store of a node that does not serve clients: a journal that is a copy of another node's, and an image of what it
 * says, which is so current that the node can serve at any moment. The image holds nothing but what was committed:
 * so a {@linkplain #cutBack cut} never reaches it.
 *
 * <p>Threads: {@link #advance}, {@link #checkpoint} and {@link #prepareSpare} belong to one thread, beside which
 * another one may append to the {@linkplain #journal journal}. {@link #cutBack} and {@link #takeOver} are called while
 * neither does anything.
 */
public final class StandbyStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StandbyStore.class);

    /**
     * A segment goes when it was dead at so many checkpoints of this node, one after the other: those of the writing
     * node, of which there is one at least between two of them, prove that nothing comes which refers to it.
     */
    private static final int DEAD_CHECKPOINTS = 3;

    private static final RecordVisitor NOTHING = (position, bytes, offset, length) -> {};

    private final StoreFiles files;
    private final Clock clock;
    private final ReferencePages pages;
    private final boolean isPractice;
    private final StoreImage image;
    private final Map<Integer, Integer> deadAt = new HashMap<>();
    private CopyJournal journal;
    private RecordTail tail;
    private boolean handedOver;
    private boolean shortageTold;

    /** From here on the image says what the writing broker said; a checkpoint may have been ahead of its position. */
    private long wholeFrom;

    private long olderCheckpoint = Position.BEGINNING;
    private long newerCheckpoint = Position.BEGINNING;

    private StandbyStore(StoreFiles files, Clock clock, boolean isPractice) throws JournalException {
        this.files = files;
        this.clock = clock;
        this.isPractice = isPractice;
        pages = StoreFiles.pages(files.directory());
        journal = files.openJournal();
        try {
            image = new Recovery(
                            journal,
                            files.storage(),
                            files.directory(),
                            new Formats(files.formats()),
                            files.protocolStates(),
                            pages,
                            clock)
                    .image();
        } catch (JournalException | RuntimeException e) {
            close();
            throw e;
        }
        tail = new RecordTail(journal, next());
    }

    /**
     * Reads the newest checkpoint, and looks through the journal from its position on. Blocks on the disk.
     *
     * @param visitor sees each record from there on
     * @throws JournalException when the store cannot be trusted; an administrator has to decide
     */
    public static StandbyStore open(StoreFiles files, Clock clock, RecordVisitor visitor) throws JournalException {
        return open(new StandbyStore(files, clock, false), visitor);
    }

    /** An empty one, for practice: the log does not tell people of it. */
    static StandbyStore openForPractice(StoreFiles files, Clock clock) throws JournalException {
        return open(new StandbyStore(files, clock, true), NOTHING);
    }

    private static StandbyStore open(StandbyStore store, RecordVisitor visitor) throws JournalException {
        try {
            store.scan(visitor);
            return store;
        } catch (JournalException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private void scan(RecordVisitor visitor) throws JournalException {
        journal.scan(image.from(), visitor);
        wholeFrom = journal.end();
    }

    private long next() {
        return Math.max(image.from(), Position.FIRST);
    }

    /** The journal: scanned, not begun. Another one after a {@linkplain #cutBack cut}. */
    public CopyJournal journal() {
        return journal;
    }

    /** Everything before that position is part of the image, and was committed. */
    public long imageEnd() {
        return tail.position();
    }

    /**
     * Applies more records to the image.
     *
     * @param limit everything before it was committed, and is durable here
     * @param records at most
     * @return false when all of it was applied
     */
    public boolean advance(long limit, int records) throws JournalException {
        for (int i = 0; i < records; i++) {
            long position = tail.position();
            if (!tail.next(limit)) {
                return false;
            }
            image.apply(position, tail.record(), 0, tail.length());
        }
        return tail.position() < limit;
    }

    /** Sees to it that the journal has room for its next segment. Blocks on the disk. */
    public void prepareSpare() throws JournalException {
        boolean isShort = !journal.hasSpare() && !journal.prepareSpare();
        if (isShort && !shortageTold) {
            LOG.warn("The disk has no room for the next segment of the copy: make room in {}", files.directory());
        }
        shortageTold = isShort;
    }

    /** The position of the newest checkpoint that was taken here; 0 before the first one. */
    public long checkpointPosition() {
        return newerCheckpoint;
    }

    /**
     * Writes the image as a checkpoint, and drops the segments that are needed neither by it nor by the one before.
     * False when it is too early. Blocks on the disk.
     *
     * @param stop has it given up
     */
    public boolean checkpoint(CheckpointStop stop) throws JournalException {
        if (tail.position() < wholeFrom || image.from() == newerCheckpoint || tail.position() == Position.FIRST) {
            return false;
        }
        long beganNs = clock.nanoTime();
        TakenCheckpoint taken = image.writeCheckpoint(
                files.storage(),
                files.directory(),
                journal.storeId(),
                image.state().nextCheckpoint(),
                stop,
                clock);
        olderCheckpoint = newerCheckpoint;
        newerCheckpoint = taken.position();
        int dropped = dropDead();
        LOG.debug(
                "Checkpoint {} of the copy at {} took {} ms; {} segments were dropped",
                taken.number(),
                taken.position(),
                (clock.nanoTime() - beganNs) / 1_000_000,
                dropped);
        return true;
    }

    private int dropDead() throws JournalException {
        SegmentTable table = image.segments(journal::map);
        List<Segment> segments = journal.segments();
        int dropped = 0;
        for (Segment segment : segments.subList(0, segments.size() - 1)) {
            int number = segment.number();
            if (table.live(number) > 0) {
                deadAt.remove(number);
            } else if (deadAt.merge(number, 1, Integer::sum) >= DEAD_CHECKPOINTS
                    && journal.map().endOf(number) <= olderCheckpoint) {
                journal.drop(number);
                deadAt.remove(number);
                dropped++;
            }
        }
        return dropped;
    }

    /**
     * Drops what lies at a position and behind it, for good. The journal is opened anew for that. Blocks on the disk.
     *
     * @param position of a record, or the end of the log
     * @param visitor sees each record that is left, from the image's checkpoint on
     * @throws JournalException when what was committed would be dropped; nothing was changed then
     */
    public void cutBack(long position, RecordVisitor visitor) throws JournalException {
        if (position < imageEnd()) {
            throw new JournalException("the log in " + files.directory() + " would be cut back to position " + position
                    + ", but everything before position " + imageEnd()
                    + " was acknowledged: the other node has another store. Nothing was changed");
        }
        long from = image.from();
        UUID storeId = journal.storeId();
        journal.close();
        journal = files.openJournal();
        journal.adopt(storeId);
        journal.scan(from, NOTHING);
        journal.cutBack(position);
        journal.scan(position == Position.FIRST ? Position.BEGINNING : from, visitor);
        tail = new RecordTail(journal, tail.position());
        wholeFrom = Math.min(wholeFrom, position);
    }

    /**
     * Ends the time as a standby: what is left of the log becomes part of the image, and this node may serve clients.
     * Blocks on the disk.
     *
     * @param epoch of the records to come, higher than any in the journal
     * @param starter decides what commits wait for
     * @param oldestNeeded position from which on another node still needs the journal; any thread asks
     */
    public StoreTerm takeOver(int epoch, CommitSetup.Starter starter, LongSupplier oldestNeeded)
            throws JournalException {
        while (advance(journal.end(), Integer.MAX_VALUE)) {
            // there is more
        }
        RecoveredState state = image.handOver();
        LivingSegments living = LivingSegments.of(state, journal.map(), journal.end());
        handedOver = true;
        LOG.atLevel(isPractice ? Level.DEBUG : Level.INFO)
                .log(
                        "The image has {} sessions, {} queues, {} references and {} retained messages",
                        state.sessions().size(),
                        state.queues().size(),
                        state.references() - state.retained().size(),
                        state.retained().size());
        return new StoreTerm(journal, state, living.counts(), pages, epoch, starter, oldestNeeded, isPractice);
    }

    /** Closes the files, unless a term has them. */
    @Override
    public void close() {
        if (!handedOver) {
            journal.close();
            pages.close();
        }
    }
}
