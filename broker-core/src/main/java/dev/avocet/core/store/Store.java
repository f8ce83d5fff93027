package dev.avocet.core.store;

import dev.avocet.core.journal.CommitListener;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.DiskSpace;
import dev.avocet.core.journal.GroupCommit;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.QueueStore;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.session.SessionStore;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.Subscription;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What survives the broker, all of it: one journal for all destinations, checkpoints that shorten the way back, and what keeps both
 * small.
 *
 * <p>Life: constructed over a journal that is open; {@link #recover} reads what an earlier life left; {@link #start} lets the loops
 * write; {@link #watch} begins to take checkpoints once the broker is complete; {@link #close} ends it in good order. These are called
 * by whoever starts the broker, on one thread. {@link #writer} belongs to the loop it is given, everything else to any thread.
 *
 * <p>Errors: after any failure of the disk nothing more is acknowledged, the listener is told, and the broker must end.
 */
public final class Store implements SessionStore, QueueStore, AutoCloseable {
    private final Journal journal;
    private final StoreOptions options;
    private final Clock clock;
    private final StoreListener listener;
    private final Formats formats;
    private final ProtocolStates protocolStates;
    private final SegmentTable segments = new SegmentTable();
    private final MemoryBudget memory;
    private final StoredMessageReader reader;

    private final StoreCheckpointThread checkpointThread = new StoreCheckpointThread();
    private final AtomicBoolean failed = new AtomicBoolean();

    private @Nullable RecoveredState recovered;
    private volatile @Nullable GroupCommit commit;
    private volatile @Nullable Reclaimer reclaimer;
    private @Nullable Checkpoints checkpoints;
    private @Nullable StoreSessions sessions;
    private StoreWriter[] writers = {};

    /**
     * @param journal open, not scanned; becomes the store's, which closes it
     * @param formats of properties that the front ends use
     * @param protocolStates makes what the front end keeps with sessions
     * @param guard tells when messages should not be kept in memory
     */
    public Store(
            Journal journal,
            StoreOptions options,
            List<PropertiesFormat> formats,
            ProtocolStates protocolStates,
            MemoryGuard guard,
            Clock clock,
            StoreListener listener) {
        this.journal = journal;
        this.options = options;
        this.clock = clock;
        this.listener = listener;
        this.formats = new Formats(formats);
        this.protocolStates = protocolStates;
        this.memory = new MemoryBudget(options.memoryBytes(), guard);
        this.reader = new StoredMessageReader(new MessageReads(journal, this.formats, clock), segments, this::onFailure);
    }

    /** Begins a new life of the journal and lets the loops write. After {@link #recover}. Blocks on the disk. */
    public void start(List<IoLoop> loops) throws JournalException {
        RecoveredState state = recovered;
        if (state == null) {
            throw new IllegalStateException("a store is recovered before it is started");
        }
        try {
            commit = new GroupCommit(
                    journal,
                    options.mode(),
                    state.lastEpoch() + 1,
                    state.lastSequence() + 1,
                    options.journal(),
                    new Listener(),
                    DiskSpace.of(options.directory()),
                    clock);
        } catch (IOException e) {
            throw new JournalException("the free space of " + options.directory() + " cannot be read", e);
        }
        sessions = new StoreSessions(this, this, state.nextSessionId(), state.nextQueueId());
        writers = loops.stream()
                .map(loop -> new StoreWriter(loop, commit, segments))
                .toArray(StoreWriter[]::new);
        commit.start();
        reader.start();
    }

    /** The loop's way into the store. */
    public StoreWriter writer(IoLoop loop) {
        return writers[loop.index()];
    }

    /** A stored message is not retained any more. Any thread. */
    public void released(StoredMessage message) {
        segments.release(message.position(), message.storedBytes());
    }

    /** False while the disk has no room for further messages. Any thread. */
    public boolean acceptsMessages() {
        GroupCommit running = commit;
        return running != null && running.acceptsMessages();
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
    public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {
        writer(caller).acknowledged(queueId, reference, position, storedBytes);
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
    public boolean keepInMemory(int sizeBytes) {
        return memory.keep(sizeBytes);
    }

    @Override
    public void letGo(int sizeBytes) {
        memory.letGo(sizeBytes);
    }

    /** Puts what was recovered into an empty broker. After {@link #start}; waits for the loops. */
    public void restoreInto(StoredParts parts) throws JournalException {
        RecoveredState state = Objects.requireNonNull(recovered, "recovered");
        new Restoration(state, this, parts, new MessageReads(journal, formats, clock), clock).run();
        recovered = null;
    }

    /** A session that was stored in an earlier life is written on under its identifier. */
    void adopt(ClientSession session, long id) {
        session.stored(id, new StoredSessionLog(this, session));
    }

    /** Begins to take checkpoints and to give disk back. Once the broker is complete. */
    public void watch(StoredParts parts) {
        Checkpoints taker = new Checkpoints(options.directory(), new Checkpointing(parts, this, clock), this, recovered);
        Reclaimer made = new Reclaimer(
                journal,
                segments,
                new MessageReads(journal, formats, clock),
                new StoreSurroundings(
                        taker,
                        (segment, limit, answer) -> SurvivorSearch.begin(parts, this, segment, limit, answer),
                        () -> Long.MAX_VALUE,
                        () -> !acceptsMessages(),
                        this::onFailure),
                options.reclaim(),
                clock,
                checkpointThread);
        checkpoints = taker;
        reclaimer = made;
        recovered = null;
        made.start();
    }

    /**
     * Ends in good order: what was written is committed, and a last checkpoint makes the next start quick. The loops must still run, and have
     * nothing more to write.
     */
    @Override
    public void close() {
        checkpointThread.close();
        takeLastCheckpoint();
        reader.close();
        GroupCommit running = commit;
        if (running != null) {
            running.close();
        }
        journal.close();
    }

    private void onFailure(Throwable cause) {
        if (failed.compareAndSet(false, true)) {
            listener.onStoreFailed(cause);
        }
    }

    private StoreSessions sessions() {
        StoreSessions present = sessions;
        if (present == null) {
            throw new IllegalStateException("the store has not been started");
        }
        return present;
    }

    /** Follows the journal. */
    private final class Listener implements CommitListener {
        @Override
        public void onAppended(int segment, int references, long referencedBytes) {
            segments.appended(segment, references, referencedBytes);
        }

        @Override
        public void onMessagesAccepted(boolean accepted) {
            listener.onMessagesAccepted(accepted);
        }

        @Override
        public void onFailure(Throwable cause) {
            Store.this.onFailure(cause);
        }
    }
}
