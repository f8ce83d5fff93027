package dev.avocet.core.store.checkpoint;

import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.SessionSnapshot;
import dev.avocet.core.store.replay.EndedTransactions;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.store.replay.TransactionSnapshots;
import dev.avocet.core.store.write.RunningStore;
import dev.avocet.core.store.write.StoreFailedException;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.RetainedPlace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Looks through the running broker for a checkpoint. Everything written before the checkpoint's position is in it; what
 * is written meanwhile may or may not be, which replaying it afterwards puts right.
 *
 * <p>The loops are asked for some sessions at a time and go on in between; no loop is stopped. A queue gives a view of
 * itself in no time; what the view lacks is gathered in turns, and then it is read here.
 *
 * <p>Runs on the {@code store-checkpoint} thread.
 */
public final class Checkpointing {
    /** The loop may have answered at once: what it has written waits for the disk, or for the other node of a pair. */
    private static final String NOT_COMMITTED =
            "what an event loop was to write was not committed by this disk, and the other node of a pair,";

    /** Sessions that a loop is asked for at a time: usually well below a millisecond. */
    private static final int SESSIONS_PER_TASK = 64;
    /**
     * After this a loop goes on with its clients before it describes the rest of them: sessions may have many
     * subscriptions.
     */
    private static final long TASK_NS = 1_000_000;

    private static final long PATIENCE_MS = 60_000;
    /** How soon a waiting thread notices that the store has failed and commits nothing any more. */
    private static final long LOOK_MS = 100;

    private final StoredParts parts;
    private final RunningStore store;
    private final EndedTransactions endedTransactions;
    private final CheckpointStop stop;
    private final Clock clock;

    public Checkpointing(
            StoredParts parts,
            RunningStore store,
            EndedTransactions endedTransactions,
            CheckpointStop stop,
            Clock clock) {
        this.parts = parts;
        this.store = store;
        this.endedTransactions = endedTransactions;
        this.stop = stop;
        this.clock = clock;
    }

    /** Ends what is going on, from another thread. */
    CheckpointStop stop() {
        return stop;
    }

    /** Writes a marker, and returns its position once everything before it has reached the queues and sessions. */
    long mark(long number) throws JournalException {
        endedTransactions.begin();
        List<IoLoop> loops = parts.loops();
        long position = await(marked(loops.get(0), number), NOT_COMMITTED);
        if (loops.size() > 1) {
            // a loop's own marker comes back to it behind everything that it wrote before the first one
            List<CompletableFuture<Long>> others = new ArrayList<>();
            loops.forEach(loop -> others.add(marked(loop, number)));
            for (CompletableFuture<Long> other : others) {
                await(other, NOT_COMMITTED);
            }
        }
        return position;
    }

    /** Shows the sink everything that survives. */
    void collect(Sink sink) throws JournalException {
        collectTransactions(sink);
        collectSessions(parts.sessions().all(), sink);
        for (MessageQueue queue : parts.subscriptions().sharedQueues()) {
            if (queue.durableId() != DeliverySource.NOT_STORED) {
                sink.queue(snapshot(queue));
            }
        }
        for (NamedQueue queue : parts.queues().all()) {
            if (queue.queue().durableId() != DeliverySource.NOT_STORED) {
                sink.destination(queue);
                sink.queue(snapshot(queue.queue()));
            }
        }
        List<RetainedPlace> retained = new ArrayList<>();
        parts.retained().forEachPlace(retained::add);
        for (RetainedPlace place : retained) {
            sink.retained(place);
        }
    }

    /**
     * Transactions come before queues: what one that is not seen here has written before the checkpoint's position is
     * in the queues by now, and what one that is seen here does afterwards lies behind the position.
     */
    private void collectTransactions(Sink sink) throws JournalException {
        TransactionSnapshots snapshots = new TransactionSnapshots(clock);
        Set<Long> open = new HashSet<>();
        for (IoLoop loop : parts.loops()) {
            for (RecoveredTransaction transaction :
                    await(on(loop, () -> snapshots.of(parts.transactions().of(loop))))) {
                open.add(transaction.id());
                sink.transaction(transaction);
            }
        }
        for (RecoveredTransaction ended : endedTransactions.without(open)) {
            sink.transaction(ended);
        }
    }

    private void collectSessions(Collection<ClientSession> sessions, Sink sink) throws JournalException {
        Map<IoLoop, List<ClientSession>> byHome = new LinkedHashMap<>();
        for (ClientSession session : sessions) {
            List<ClientSession> some = byHome.computeIfAbsent(session.home(), home -> new ArrayList<>());
            some.add(session);
            if (some.size() == SESSIONS_PER_TASK) {
                collectFrom(session.home(), some, sink);
                byHome.remove(session.home());
            }
        }
        for (Map.Entry<IoLoop, List<ClientSession>> rest : byHome.entrySet()) {
            collectFrom(rest.getKey(), rest.getValue(), sink);
        }
    }

    private void collectFrom(IoLoop home, List<ClientSession> sessions, Sink sink) throws JournalException {
        List<ClientSession> moved = new ArrayList<>();
        Iterator<ClientSession> rest = sessions.iterator();
        while (rest.hasNext()) {
            for (SessionSnapshot snapshot : await(on(home, () -> describeSome(home, rest, moved)))) {
                sink.session(snapshot);
            }
        }
        if (!moved.isEmpty()) {
            collectSessions(moved, sink);
        }
    }

    /** On the loop; at least one of them. */
    private List<SessionSnapshot> describeSome(
            IoLoop home, Iterator<ClientSession> sessions, List<ClientSession> moved) {
        List<SessionSnapshot> made = new ArrayList<>();
        long beganNs = clock.nanoTime();
        do {
            ClientSession session = sessions.next();
            if (session.home() != home) {
                moved.add(session);
            } else if (session.storeId() != 0 && !session.hasEnded()) {
                made.add(SessionSnapshot.of(session, clock));
            }
        } while (sessions.hasNext() && clock.nanoTime() - beganNs < TASK_NS);
        return made;
    }

    /**
     * Returns once everything is durable that the loops have done so far. A checkpoint must not know more than the
     * journal: a packet identifier in it, whose message went down with the last batch, would have the client's next
     * attempt thrown away as a duplicate.
     */
    void settle() throws JournalException {
        List<CompletableFuture<Long>> durable = new ArrayList<>();
        for (IoLoop loop : parts.loops()) {
            CompletableFuture<Long> its = new CompletableFuture<>();
            loop.execute(() -> store.writer(loop).afterCommit(its::complete));
            durable.add(its);
        }
        for (CompletableFuture<Long> its : durable) {
            await(its, NOT_COMMITTED);
        }
    }

    private CompletableFuture<Long> marked(IoLoop loop, long number) {
        CompletableFuture<Long> durable = new CompletableFuture<>();
        loop.execute(() -> {
            StoreWriter writer = store.writer(loop);
            writer.begin(EntryKind.CHECKPOINT).number(number);
            writer.end();
            writer.afterCommit(durable::complete);
        });
        return durable;
    }

    private QueueSnapshot snapshot(MessageQueue queue) throws JournalException {
        IoLoop home = queue.home(); // a shared subscription's queue keeps its home
        QueueSnapshot snapshot = await(on(home, queue::snapshot));
        boolean more = true;
        while (more) {
            more = await(on(home, snapshot::gather));
        }
        return snapshot;
    }

    private static <T> CompletableFuture<T> on(IoLoop loop, Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, loop::execute);
    }

    private <T> T await(CompletableFuture<T> answer) throws JournalException {
        return await(answer, "an event loop has not answered");
    }

    private <T> T await(CompletableFuture<T> answer, String otherwise) throws JournalException {
        stop.awaits(answer);
        for (long waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
            try {
                return answer.get(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JournalException("the checkpoint was interrupted");
            } catch (ExecutionException e) {
                stop.check();
                throw new JournalException("the checkpoint failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException e) {
                if (store.hasFailed()) {
                    throw new StoreFailedException("the checkpoint was given up: the store has failed");
                }
            }
        }
        throw new JournalException("the checkpoint was given up: " + otherwise + " for " + PATIENCE_MS / 1_000 + " s");
    }

    /** Where everything goes. */
    interface Sink {
        void transaction(RecoveredTransaction transaction) throws JournalException;

        void session(SessionSnapshot session) throws JournalException;

        void destination(NamedQueue queue) throws JournalException;

        void queue(QueueSnapshot queue) throws JournalException;

        void retained(RetainedPlace place) throws JournalException;
    }
}
