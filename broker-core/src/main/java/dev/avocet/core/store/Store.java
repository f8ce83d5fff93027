package dev.avocet.core.store;

import dev.avocet.core.destination.DestinationStore;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.TermOverException;
import dev.avocet.core.journal.commit.CommitListener;
import dev.avocet.core.journal.commit.CommitSetup;
import dev.avocet.core.journal.commit.CommitSnapshot;
import dev.avocet.core.journal.commit.Commits;
import dev.avocet.core.journal.commit.GroupCommit;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.session.SessionStore;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.checkpoint.CheckpointStop;
import dev.avocet.core.store.checkpoint.CheckpointTaker;
import dev.avocet.core.store.checkpoint.Checkpointing;
import dev.avocet.core.store.checkpoint.Checkpoints;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.image.Recovery;
import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.core.store.image.StoreTerm;
import dev.avocet.core.store.place.Losses;
import dev.avocet.core.store.place.MemoryBudget;
import dev.avocet.core.store.place.MessageReads;
import dev.avocet.core.store.place.SegmentReleases;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.store.place.StoredMessageReader;
import dev.avocet.core.store.reclaim.PayloadShedding;
import dev.avocet.core.store.reclaim.Reclaimer;
import dev.avocet.core.store.reclaim.SegmentState;
import dev.avocet.core.store.reclaim.StoreStatistics;
import dev.avocet.core.store.reclaim.StoreSurroundings;
import dev.avocet.core.store.reclaim.SurvivorSearch;
import dev.avocet.core.store.replay.EndedTransactions;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.store.transfer.SessionExport;
import dev.avocet.core.store.transfer.SessionImport;
import dev.avocet.core.store.transfer.TransferReader;
import dev.avocet.core.store.write.RunningStore;
import dev.avocet.core.store.write.StoreDestinations;
import dev.avocet.core.store.write.StoreSessions;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.store.write.StoredSessionLog;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.transaction.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What survives the broker, all of it: one journal for all destinations, checkpoints that shorten the way back, and
 * what keeps both small.
 *
 * <p>Life: {@link #recover} reads what an earlier life left; {@link #start} lets the loops write; {@link #restoreInto}
 * gives an empty broker what was there and begins to take checkpoints; {@link #close} ends it in good order. These are
 * called by the thread that starts the broker. {@link #writer} belongs to the loop it is given, everything else
 * to any thread.
 *
 * <p>Errors: after any failure of the disk nothing more is acknowledged, the listener is told, and the broker must end.
 */
public final class Store implements SessionStore, RunningStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Store.class);

    /**
     * The number of a transaction begins with that of its life, so that no checkpoint need tell which ones were given
     * out.
     */
    private static final int EPOCH_SHIFT = 32;

    private final Journal journal;
    private final Storage storage;
    private final StoreOptions options;
    private final Formats formats;
    private final ProtocolStates protocolStates;
    private final Clock clock;
    private final StoreListener listener;
    private final CommitSetup.Starter starter;
    private final @Nullable StoreTerm term;
    private final SegmentTable segments;
    private final Losses losses;
    private final MemoryBudget memory;
    private final StoredMessageReader reader;
    private final StoreThreads threads;
    private final EndedTransactions endedTransactions;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final ReferencePages pages;

    private @Nullable RecoveredState recovered;
    private @Nullable StoreSessions sessions;
    private StoreWriter[] writers = {};
    private int epoch;
    private volatile @Nullable Commits commit;
    private volatile @Nullable Reclaimer reclaimer;
    private volatile @Nullable PayloadShedding shedding;
    private final CheckpointStop checkpointStop = new CheckpointStop();
    private @Nullable Checkpoints checkpoints;

    /**
     * @param journal open, not scanned; becomes the store's, which closes it
     * @param storage where checkpoints lie
     * @param formats of properties that the front ends use
     * @param protocolStates makes what the front end keeps with sessions
     * @param guard tells when messages should not be kept in memory
     */
    public Store(
            Journal journal,
            Storage storage,
            StoreOptions options,
            List<PropertiesFormat> formats,
            ProtocolStates protocolStates,
            MemoryGuard guard,
            Clock clock,
            StoreListener listener) {
        this(journal, storage, options, formats, protocolStates, guard, clock, listener, GroupCommit::new);
    }

    /** @param starter decides how commits run, and what they wait for beside the disk of this node */
    public Store(
            Journal journal,
            Storage storage,
            StoreOptions options,
            List<PropertiesFormat> formats,
            ProtocolStates protocolStates,
            MemoryGuard guard,
            Clock clock,
            StoreListener listener,
            CommitSetup.Starter starter) {
        this(
                journal,
                storage,
                options,
                formats,
                protocolStates,
                guard,
                clock,
                listener,
                starter,
                null,
                StoreThreads.ofBroker());
    }

    /** A store whose threads are in the hands of a simulation. */
    Store(
            Journal journal,
            Storage storage,
            StoreOptions options,
            List<PropertiesFormat> formats,
            ProtocolStates protocolStates,
            MemoryGuard guard,
            Clock clock,
            StoreListener listener,
            CommitSetup.Starter starter,
            StoreThreads threads) {
        this(journal, storage, options, formats, protocolStates, guard, clock, listener, starter, null, threads);
    }

    /**
     * A store that another node may serve from at other times.
     *
     * @param term when this one does, and what it begins with; its journal becomes the store's, which closes it
     */
    public Store(
            StoreTerm term,
            Storage storage,
            StoreOptions options,
            List<PropertiesFormat> formats,
            ProtocolStates protocolStates,
            MemoryGuard guard,
            Clock clock,
            StoreListener listener) {
        this(
                term.journal(),
                storage,
                options,
                formats,
                protocolStates,
                guard,
                clock,
                listener,
                term.starter(),
                term,
                StoreThreads.ofBroker());
    }

    private Store(
            Journal journal,
            Storage storage,
            StoreOptions options,
            List<PropertiesFormat> formats,
            ProtocolStates protocolStates,
            MemoryGuard guard,
            Clock clock,
            StoreListener listener,
            CommitSetup.Starter starter,
            @Nullable StoreTerm term,
            StoreThreads threads) {
        this.term = term;
        this.threads = threads;
        this.journal = journal;
        this.segments = new SegmentTable(journal::map);
        this.losses = new Losses(journal);
        this.storage = storage;
        this.options = options;
        this.formats = new Formats(formats);
        this.protocolStates = protocolStates;
        this.clock = clock;
        this.listener = listener;
        this.endedTransactions = new EndedTransactions(clock);
        this.starter = starter;
        this.memory = new MemoryBudget(options.memoryBytes(), guard);
        this.pages = term == null ? StoreFiles.pages(options.directory()) : term.pages();
        this.reader = new StoredMessageReader(
                new MessageReads(journal, this.formats, clock), segments, this::onFailure, threads.reader());
    }

    /**
     * Reads what an earlier life left, unless it came with the term. Blocks on the disk.
     *
     * @throws JournalException when it cannot be trusted; an administrator has to decide
     */
    public void recover() throws JournalException {
        if (term != null) {
            recovered = term.takeState();
            return;
        }
        recovered = new Recovery(journal, storage, options.directory(), formats, protocolStates, pages, clock).read();
    }

    /** Begins a new life of the journal and lets the loops write. Blocks on the disk. */
    public void start(List<IoLoop> loops) throws JournalException {
        RecoveredState state = recoveredState();
        countReferences(state);
        epoch = term == null ? state.lastEpoch() + 1 : term.epoch();
        Commits made = starter.prepare(new CommitSetup(
                journal,
                options.mode(),
                epoch,
                state.lastSequence() + 1,
                options.journal(),
                new Listener(),
                options.diskSpace(),
                clock));
        sessions = new StoreSessions(this, state.nextSessionId(), state.nextQueueId());
        writers = loops.stream()
                .map(loop -> new StoreWriter(loop, made, segments))
                .toArray(StoreWriter[]::new);
        made.start();
        commit = made;
        loops.get(0).execute(() -> {
            StoreWriter first = writers[0];
            first.begin(EntryKind.EPOCH).number(clock.wallTimeMs());
            first.end();
        });
    }

    /** References lie nearly in order: those into one segment are counted together. With a term that is done. */
    private void countReferences(RecoveredState state) {
        if (term != null) {
            term.living().forEach(segments::recovered);
            return;
        }
        SegmentReleases counted = new SegmentReleases(segments);
        state.forEachPlace(counted::add);
        counted.forEach(segments::recovered);
    }

    /** Puts what was recovered into an empty broker, and begins to take checkpoints. Waits for the loops. */
    public void restoreInto(StoredParts parts) throws JournalException {
        RecoveredState state = recoveredState();
        Restoration restoration = new Restoration(state, this, parts, new MessageReads(journal, formats, clock), clock);
        restoration.run(term != null && term.isPractice() ? Level.DEBUG : Level.INFO);
        recovered = null;
        Checkpoints taker = new Checkpoints(
                new Checkpointing(parts, this, endedTransactions, checkpointStop, clock),
                sessions(),
                storage,
                options.directory(),
                clock,
                epoch,
                journal.storeId(),
                state.nextCheckpoint());
        if (state.needsCheckpoint()) {
            taker.takeFirst();
        }
        restoration.resumeWaiting();
        Reclaimer made = new Reclaimer(
                journal,
                segments,
                new MessageReads(journal, formats, clock),
                new StoreSurroundings(
                        taker,
                        (segment, limit, answer) -> {
                            SegmentMap map = journal.map();
                            SurvivorSearch.begin(parts, this, map.firstOf(segment), map.endOf(segment), limit, answer);
                        },
                        term == null ? () -> Long.MAX_VALUE : term.oldestNeeded(),
                        () -> !acceptsMessages(),
                        this::onFailure),
                options.reclaim(),
                clock,
                threads.reclaim());
        checkpoints = taker;
        reclaimer = made;
        shedding = new PayloadShedding(parts, memory);
        made.start();
        if (term != null) {
            term.counts(segment -> segments.live(segment) != 0);
        }
    }

    /**
     * Higher than the number of any transaction of an earlier life that is still in doubt, or was not ended. Before the
     * restoration.
     */
    public long firstTransactionId() {
        long first = (long) epoch << EPOCH_SHIFT;
        for (RecoveredTransaction prepared : recoveredState().prepared()) {
            first = Math.max(first, prepared.id() + 1);
        }
        return first;
    }

    @Override
    public StoreWriter writer(IoLoop loop) {
        return writers[loop.index()];
    }

    /**
     * Takes one more reference to a stored message that was retained a moment ago; false when its segment may be gone
     * by now. It ends as any reference does. Any thread.
     */
    public boolean acquire(StoredMessage message) {
        return acquire(message.position(), message.storedBytes());
    }

    /** As {@link #acquire(StoredMessage)}, of a message that was not read yet. */
    public boolean acquire(long position, int storedBytes) {
        return segments.acquire(position, storedBytes);
    }

    /**
     * A transaction that was written in pieces takes effect: a checkpoint that is being taken must know what it
     * retains. The transaction's loop.
     */
    public void committed(Transaction transaction) {
        endedTransactions.add(transaction);
    }

    /** References to stored messages, waiting, in flight and retained. Any thread. */
    public long references() {
        return segments.totalLive();
    }

    /** Begins to take the payloads of waiting messages out of memory, as they lie on disk as well. Any thread. */
    public void shedPayloads() {
        PayloadShedding present = shedding;
        if (present != null) {
            present.begin();
        }
    }

    /** False while the disk has no room for further messages. Any thread. */
    public boolean acceptsMessages() {
        Commits running = commit;
        return running != null && running.acceptsMessages();
    }

    /** False while the other node of a pair does not answer and has to have every message. Any thread. */
    public boolean isAttended() {
        Commits running = commit;
        return running == null || running.isAttended();
    }

    /** Keeps the queues that clients know by name. */
    public DestinationStore destinations() {
        return new StoreDestinations(this::writer, this, () -> sessions().takeQueueId());
    }

    @Override
    public boolean hasFailed() {
        return failed.get();
    }

    /** Bytes that wait for the disk. Any thread. */
    public long pendingBytes() {
        Commits running = commit;
        return running == null ? 0 : running.pendingBytes();
    }

    /** What the store holds and does; null before it is complete. Any thread. */
    public @Nullable StoreStatistics statistics() {
        Reclaimer running = reclaimer;
        return running == null ? null : running.statistics(reader, memory, losses.count());
    }

    /** The segments of the journal, and why they are kept; none before the store is complete. Any thread. */
    public List<SegmentState> segmentStates() {
        Reclaimer running = reclaimer;
        return running == null ? List.of() : running.segments();
    }

    /** What the commits were like so far; null before the start. Any thread. */
    public @Nullable CommitSnapshot commits() {
        Commits running = commit;
        return running == null ? null : running.statistics().snapshot();
    }

    @Override
    public void changed(ClientSession session) {
        sessions().changed(session);
    }

    @Override
    public void ended(ClientSession session) {
        sessions().ended(session);
    }

    @Override
    public void subscribed(ClientSession session, SubscriptionRequest request, Subscription subscription) {
        sessions().subscribed(session, request, subscription);
    }

    @Override
    public void unsubscribed(ClientSession session, String key) {
        sessions().unsubscribed(session, key);
    }

    @Override
    public void queueEnded(SubscriptionQueue queue, IoLoop caller) {
        sessions().queueEnded(queue, caller);
    }

    @Override
    public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {
        writer(caller).acknowledged(queueId, reference, position, storedBytes);
    }

    @Override
    public void delivered(long queueId, int count, long[] references, IoLoop caller) {
        writer(caller).delivered(queueId, count, references);
    }

    @Override
    public void abandoned(long position, int storedBytes) {
        segments.release(position, storedBytes);
    }

    @Override
    public void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {
        reader.fetch(positions, storedBytes, count, loop, then);
    }

    @Override
    public void lost(String queue, long position) {
        losses.add(queue, position);
    }

    @Override
    public boolean keepInMemory(int sizeBytes) {
        return memory.keep(sizeBytes);
    }

    @Override
    public void letGo(int sizeBytes) {
        memory.letGo(sizeBytes);
    }

    /**
     * Ends in good order: what was written is committed, and a last checkpoint makes the next start quick. The loops
     * must still run, and clients must be gone. No checkpoint is taken, and the one that is being taken is given up,
     * where another node waits for this one to end, or what this one writes is not committed.
     */
    @Override
    public void close() {
        boolean takesLast = !failed.get() && isAttended() && (term == null || !term.endsInHaste());
        if (!takesLast) {
            checkpointStop.stop();
        }
        threads.endReclaim();
        Checkpoints taker = checkpoints;
        if (taker != null && takesLast) {
            try {
                taker.take();
            } catch (IOException e) {
                LOG.warn("No last checkpoint was taken, so the next start takes longer: {}", e.getMessage());
            }
        }
        threads.endReader();
        Commits running = commit;
        if (running != null) {
            running.close();
        }
        journal.close();
        pages.close();
    }

    @Override
    public ReferencePages pages() {
        return pages;
    }

    /** How much of each segment is alive. */
    SegmentTable segments() {
        return segments;
    }

    /** The largest record that the journal takes. */
    public int maxRecordBytes() {
        return journal.maxRecordBytes();
    }

    /** Takes sessions out of this broker. Any thread. */
    public SessionExport sessionExport(StoredParts parts) {
        return new SessionExport(this, parts, clock);
    }

    /** Takes sessions of another broker in. Any thread. */
    public SessionImport sessionImport(StoredParts parts) {
        return new SessionImport(this, parts, protocolStates, clock);
    }

    /** Reads what an export holds. Any thread; each has one owner. */
    public TransferReader transferReader() {
        return new TransferReader(formats, protocolStates, clock);
    }

    @Override
    public void beginSession(ClientSession session) {
        sessions().begin(session);
    }

    /** A session that was stored in an earlier life is written on under its identifier. */
    void adopt(ClientSession session, long id) {
        session.stored(id, new StoredSessionLog(this, session));
    }

    /** Takes checkpoints of the running broker; once what was recovered is restored. */
    CheckpointTaker checkpoints() {
        return Objects.requireNonNull(checkpoints, "nothing is restored yet");
    }

    private RecoveredState recoveredState() {
        RecoveredState state = recovered;
        if (state == null) {
            throw new IllegalStateException("a store is recovered first, and restored once");
        }
        return state;
    }

    private StoreSessions sessions() {
        StoreSessions present = sessions;
        if (present == null) {
            throw new IllegalStateException("the store has not been started");
        }
        return present;
    }

    private void onFailure(Throwable cause) {
        if (failed.compareAndSet(false, true) && !(cause instanceof TermOverException)) {
            listener.onStoreFailed(cause);
        }
    }

    /** Follows the journal. */
    private final class Listener implements CommitListener {
        @Override
        public void onAppended(int segment, int references, long referencedBytes) {
            segments.appended(segment, references, referencedBytes);
        }

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {
            listener.onMessagesAccepted(accepted, lack);
        }

        @Override
        public void onFailure(Throwable cause) {
            Store.this.onFailure(cause);
        }
    }
}
