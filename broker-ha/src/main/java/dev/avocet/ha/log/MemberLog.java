package dev.avocet.ha.log;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.record.RecordTail;
import dev.avocet.core.store.image.CheckpointCopy;
import dev.avocet.core.store.image.StandbyStore;
import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.core.store.image.StoreTerm;
import dev.avocet.core.time.Clock;
import dev.avocet.ha.role.EpochStarts;
import dev.avocet.ha.role.PairLog;
import dev.avocet.ha.role.PairMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a member in one of its lives: it follows first, and may lead once, to the end of that life. The thread of
 * the pair, where nothing else is said.
 */
public final class MemberLog implements PairLog, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemberLog.class);

    private final StoreFiles files;
    private final StandbyStore store;
    private final CopyWriter copy;
    private final ImageKeeper image;
    private final StoreInbox inbox;
    private final Listener listener;
    private volatile UUID storeId;
    private EpochStarts starts;
    private long end;

    // Once it leads.
    private volatile @Nullable PairGate gate;
    private volatile @Nullable StoreTerm made;
    private long term;
    private long termStart;

    /** Records before it cannot be read any more, though they seemed to be there. */
    private volatile long hole;

    private MemberLog(
            StoreFiles files,
            StandbyStore store,
            PairFile file,
            PairFile.Content known,
            Clock clock,
            Listener listener) {
        this.files = files;
        this.store = store;
        this.listener = listener;
        storeId = store.journal().storeId();
        starts = known.starts();
        end = LogPositions.ofJournal(store.journal().end());
        copy = new CopyWriter(store.journal(), file, known, listener::onForced, listener::onFailure);
        inbox = new StoreInbox(files, copy, listener);
        image = new ImageKeeper(store, copy::isFollowing, clock, listener::onFailure);
    }

    /** Opens the log of a node that does not serve. Blocks on the disk; the thread that opens hands the log over. */
    public static MemberLog open(StoreFiles files, Clock clock, Listener listener) throws JournalException {
        finishReplacement(files);
        PairFile file = new PairFile(files.storage(), files.directory());
        PairFile.Content said = file.read(new UUID(0, 0));
        EpochScan scan = new EpochScan(said.starts());
        StandbyStore store = StandbyStore.open(files, clock, scan);
        try {
            return open(files, store, file, said, scan.starts(), clock, listener);
        } catch (JournalException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static void finishReplacement(StoreFiles files) throws JournalException {
        try {
            ReceivedStore.finish(files);
        } catch (IOException e) {
            throw new JournalException(e.getMessage(), e);
        }
    }

    private static MemberLog open(
            StoreFiles files,
            StandbyStore store,
            PairFile file,
            PairFile.Content said,
            EpochStarts scanned,
            Clock clock,
            Listener listener)
            throws JournalException {
        boolean wasSaid = said.storeId().getLeastSignificantBits() != 0;
        boolean isEmpty = store.journal().end() == Position.FIRST;
        if (isEmpty) {
            if (wasSaid && !said.hasRecords()) {
                store.journal().adopt(said.storeId());
            } else if (wasSaid) {
                LOG.warn("The journal of store {} is gone: this node begins with an empty store", said.storeId());
            }
            return new MemberLog(
                    files,
                    store,
                    file,
                    new PairFile.Content(store.journal().storeId(), false, EpochStarts.NONE),
                    clock,
                    listener);
        }
        if (wasSaid && !said.storeId().equals(store.journal().storeId())) {
            throw new JournalException("the file 'pair' beside the journal belongs to the store " + said.storeId()
                    + ", and the journal to the store " + store.journal().storeId()
                    + ": move the one elsewhere that does not belong here. Nothing was changed");
        }
        EpochStarts starts =
                scanned.cutBack(LogPositions.ofJournal(store.journal().end()));
        MemberLog log = new MemberLog(
                files, store, file, new PairFile.Content(store.journal().storeId(), true, starts), clock, listener);
        try {
            // What a scan has seen may not be durable, and the pair counts on it.
            log.copy.know(new PairFile.Content(log.storeId, true, starts));
            log.copy.follow();
            return log;
        } catch (JournalException | RuntimeException e) {
            log.endThreads();
            throw e;
        }
    }

    @Override
    public String storeId() {
        return storeId.toString();
    }

    @Override
    public long end() {
        PairGate leading = gate;
        return leading == null ? end : LogPositions.ofJournal(leading.end());
    }

    @Override
    public long forced() {
        PairGate leading = gate;
        boolean isCopied = leading != null && copy.forced() >= termStart;
        return isCopied ? LogPositions.ofJournal(leading.durable()) : copy.forced();
    }

    @Override
    public long committed() {
        return LogPositions.ofJournal(image.imageEnd());
    }

    @Override
    public EpochStarts starts() {
        return gate != null && end() > termStart ? starts.with(term, termStart) : starts;
    }

    @Override
    public boolean reaches(long position) {
        if (position < hole) {
            return false;
        }
        long at = LogPositions.inJournal(position);
        Journal journal = store.journal();
        SegmentMap map = journal.map();
        int segment = map.segmentOf(at);
        while (at < journal.end() && segment != map.last()) {
            if (segment == 0) {
                return false;
            }
            at = map.endOf(segment);
            segment = map.segmentOf(at);
        }
        return true;
    }

    /** Records from that position on cannot be read. Any thread. */
    public void unreadable(long position) {
        hole = Math.max(hole, position + 1);
    }

    @Override
    public void cutBack(long position) {
        EpochScan scan = new EpochScan(starts.cutBack(position));
        await(copy.whenQuiet(() -> await(image.whenQuiet(() -> {
            store.cutBack(LogPositions.inJournal(position), scan);
            copy.reopened(store.journal());
            copy.know(new PairFile.Content(storeId, position > 0, scan.starts()));
        }))));
        LOG.info("The log was cut back from {} to {}: what was behind that was never acknowledged", end, position);
        starts = scan.starts();
        end = position;
    }

    @Override
    public void append(PairMessage.Records records) {
        byte[] bytes = (byte[]) records.records();
        starts = RecordBytes.startsWith(starts, records.from(), bytes);
        end = records.end();
        copy.append(bytes, end, starts, listener.onTaken(bytes.length));
    }

    @Override
    public void receive(PairMessage.Start start) {
        inbox.begin(start);
    }

    @Override
    public void receive(PairMessage.Part part) {
        byte[] bytes = (byte[]) part.content();
        inbox.takePart(bytes, listener.onTaken(bytes.length));
    }

    @Override
    public void receive(PairMessage.Records records) {
        byte[] bytes = (byte[]) records.records();
        inbox.takeRecords(bytes, listener.onTaken(bytes.length));
    }

    @Override
    public void complete(long receivedEnd) {
        inbox.complete(receivedEnd);
    }

    @Override
    public void dropReceived() {
        inbox.drop();
    }

    @Override
    public void adopt(String other) {
        UUID id = UUID.fromString(other);
        await(copy.whenQuiet(() -> {
            store.journal().adopt(id);
            copy.know(new PairFile.Content(id, false, EpochStarts.NONE));
        }));
        storeId = id;
    }

    /** Makes the name of an empty store durable, before the register says it. Blocks on the disk. */
    public void establish() {
        if (end == 0) {
            await(copy.whenQuiet(() -> copy.know(new PairFile.Content(storeId, false, EpochStarts.NONE))));
        }
    }

    @Override
    public void awaits(long position) {
        PairGate leading = gate;
        if (leading != null) {
            leading.awaits(position == Long.MAX_VALUE ? position : LogPositions.inJournal(position));
        }
    }

    /** What this node has appended lately, while it leads. */
    public @Nullable RecentRecords recent() {
        PairGate leading = gate;
        return leading == null ? null : leading.recent();
    }

    /** Everything before that position was committed, as far as this node has heard. */
    public void committed(long position) {
        if (gate == null) {
            image.committed(LogPositions.inJournal(Math.min(position, copy.forced())));
        }
    }

    /** Wants a checkpoint of the image soon. Any thread. */
    public void requestCheckpoint() {
        image.requestCheckpoint();
    }

    /**
     * This node leads from now on. Returns at once.
     *
     * @param lag of the other node behind this one, from now on
     * @param oldestNeeded position from which on the other node needs the log; any thread asks
     * @param then hears of the term, on a thread of the log, once the image is complete
     */
    public void lead(long epoch, StandbyLag lag, LongSupplier oldestNeeded, Consumer<StoreTerm> then) {
        term = epoch;
        termStart = end;
        EpochStarts withTerm = starts.with(epoch, termStart);
        FirstRecord first = new FirstRecord(new PairFile.Content(storeId, true, withTerm), termStart > 0);
        PairGate leading = new PairGate(LogPositions.inJournal(termStart), lag, listener, first::onDurable);
        gate = leading;
        run(copy.whenQuiet(() -> await(image.whenQuiet(() -> {
            copy.know(new PairFile.Content(storeId, first.isKnown, withTerm));
            image.end();
            StoreTerm taken = store.takeOver(
                    Math.toIntExact(epoch), leading::prepare, () -> LogPositions.inJournal(oldestNeeded.getAsLong()));
            made = taken;
            then.accept(taken);
        }))));
    }

    /** Everything before that position may be acknowledged by this node, which leads. */
    public void confirm(long position) {
        PairGate leading = gate;
        if (leading != null) {
            leading.confirm(LogPositions.inJournal(position));
        }
    }

    /** Whether this node, which leads, takes messages of clients; otherwise it refuses them. */
    public void attended(boolean isAttended) {
        PairGate leading = gate;
        if (leading != null) {
            leading.attended(isAttended);
        }
    }

    /** This node leads no more: nothing is acknowledged any more, from before this returns. */
    public void stopLeading(String why) {
        PairGate leading = gate;
        if (leading != null) {
            leading.close(why);
        }
    }

    /**
     * Reads some records, one at least if there is any. One thread, not that of the pair, as it blocks on the disk.
     *
     * @param end up to where
     * @param bytesMax more than that only for a single record
     * @throws JournalException when they cannot be read, as they were dropped, for example
     */
    public PairMessage.Records read(long epoch, long from, long end, int bytesMax) throws JournalException {
        RecordTail tail = new RecordTail(store.journal(), LogPositions.inJournal(from));
        return RecordBytes.read(tail, epoch, LogPositions.inJournal(end), bytesMax);
    }

    /**
     * What a node is sent that lacks more than this log has. As {@link #read}; the caller closes it.
     *
     * @throws JournalException when there is no checkpoint that is whole
     */
    public StoreShipment shipment() throws JournalException {
        StoreTerm serving = made;
        return new StoreShipment(
                CheckpointCopy.newest(files, store.journal().storeId()),
                store.journal(),
                segment -> serving == null || serving.isAlive(segment));
    }

    /** Whether the room of the next segment is on the disk already. */
    public boolean hasRoom() {
        return store.journal().hasSpare();
    }

    /** The largest record, in bytes. */
    public int maxRecordBytes() {
        return store.journal().maxRecordBytes();
    }

    /** Ends the threads, and closes the files unless a store has them. Blocks on the disk. */
    @Override
    public void close() {
        endThreads();
        store.close();
        StoreTerm unused = made;
        if (unused != null) {
            unused.closeUnused();
        }
    }

    private void endThreads() {
        copy.close();
        inbox.close();
        image.close();
    }

    /** Tells of a failure, as no thread waits for the task. */
    private void run(CompletableFuture<Void> task) {
        task.whenComplete((done, failure) -> {
            if (failure != null) {
                listener.onFailure(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            }
        });
    }

    private static void await(CompletableFuture<Void> task) {
        try {
            task.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof IOException io ? new UncheckedIOException(io) : e;
        }
    }

    /** Notes that an empty store is not empty any more, once its first record is durable. */
    private final class FirstRecord {
        private final PairFile.Content content;
        private final AtomicBoolean noted;
        private final boolean isKnown;

        FirstRecord(PairFile.Content content, boolean isKnown) {
            this.content = content;
            this.isKnown = isKnown;
            noted = new AtomicBoolean(isKnown);
        }

        void onDurable() {
            if (!noted.get() && noted.compareAndSet(false, true)) {
                run(copy.whenQuiet(() -> copy.know(content)));
            }
        }
    }

    /** Hears of the log, on its threads and those of the journal; must not block. */
    public interface Listener {
        /** More is durable than before. */
        void onForced();

        /**
         * So many bytes of records were taken, by {@link #append}. What this returns is run once they are in the
         * journal and take no room any more.
         */
        Runnable onTaken(int bytes);

        /** This node, which leads, has appended something. */
        void onAppendedHere();

        /** The store that was received is whole and durable. */
        void onStoreReceived();

        /** A store that came is of no use. */
        void onStoreRefused(String why);

        /** The log has failed; nothing more of it is durable. */
        void onFailure(Throwable cause);
    }
}
