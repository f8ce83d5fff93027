package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.store.place.MessageReads;
import dev.avocet.core.store.replay.RecoveredDestination;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredRetained;
import dev.avocet.core.store.replay.RecoveredSession;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.RetainedPlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Puts what was recovered into an empty broker: retained messages, sessions with their subscriptions, queues and
 * protocol state, and prepared transactions. Sessions are dealt out to the loops; their clients choose another one when
 * they come back. Runs on the thread that starts the broker and waits for the loops, which do the work all at once.
 */
final class Restoration {
    private static final Logger LOG = LoggerFactory.getLogger(Restoration.class);
    private static final int SESSIONS_PER_TASK = 256;

    private final RecoveredState state;
    private final Store store;
    private final StoredParts parts;
    private final MessageReads reads;
    private final BoundDeliveries bound;
    private final Clock clock;
    private final RestoredTransactions transactions;
    /** By loop; each list is filled on its loop. */
    private final List<List<ClientSession>> restored = new ArrayList<>();

    private final List<QueueFilling> fillings = new ArrayList<>();

    private int next;

    Restoration(RecoveredState state, Store store, StoredParts parts, MessageReads reads, Clock clock) {
        this.state = state;
        this.store = store;
        this.parts = parts;
        this.reads = reads;
        this.bound = BoundDeliveries.of(state);
        this.clock = clock;
        transactions = new RestoredTransactions(state.prepared(), clock);
        for (int i = 0; i < parts.loops().size(); i++) {
            restored.add(new ArrayList<>());
            fillings.add(new QueueFilling(store, clock));
        }
    }

    /**
     * Brings everything back. Retained messages come back as places, on this thread, while the loops have their
     * sessions; what a message says is read when it is wanted.
     *
     * @param level at which the log tells of it
     */
    void run(Level level) throws JournalException {
        long beganNs = clock.nanoTime();
        CompletableFuture<Void> onLoops = all(beginSessions(withoutSharedFirsts()));
        restoreRetained();
        long retainedNs = clock.nanoTime();
        await(onLoops);
        long sessionsNs = clock.nanoTime();
        restoreQueues();
        fillQueues();
        transactions.restoreInto(parts.transactions(), parts.loops(), Restoration::await);
        bound.deliver(parts, reads);
        onEachLoop(Restoration::onRestored);
        LOG.atLevel(level)
                .log(
                        "Restored {} sessions in {} ms, {} queues by name, {} transactions and what all queues hold in {} ms; the places of {} retained"
                                + " messages beside that in {} ms",
                        state.sessions().size(),
                        millis(sessionsNs - beganNs),
                        state.destinations().size(),
                        state.prepared().size(),
                        millis(clock.nanoTime() - sessionsNs),
                        parts.retained().count(),
                        millis(retainedNs - beganNs));
    }

    /** Begins what sessions wait for, now that all are there: a will may go to any of them. */
    void resumeWaiting() throws JournalException {
        onEachLoop(parts.sessions()::resumeWaiting);
    }

    /** On all loops at once. */
    private void onEachLoop(Consumer<ClientSession> action) throws JournalException {
        List<CompletableFuture<Void>> tasks = new ArrayList<>();
        for (int index = 0; index < parts.loops().size(); index++) {
            List<ClientSession> some = restored.get(index);
            tasks.add(begin(parts.loops().get(index), () -> some.forEach(action)));
        }
        await(all(tasks));
    }

    private static void onRestored(ClientSession session) {
        ProtocolState protocolState = session.protocolState();
        if (protocolState != null) {
            protocolState.onRestored(session);
        }
    }

    private void restoreRetained() {
        for (String topic : state.retainedTopics()) {
            RecoveredRetained place = state.retained(topic);
            if (place != null
                    && !parts.retained().restore(new RetainedPlace(topic, place.position(), place.storedBytes()))) {
                store.abandoned(place.position(), place.storedBytes()); // the next checkpoint does without it
            }
        }
        state.forgetRetained();
    }

    /**
     * Restores the sessions that are the first members of shared subscriptions, one after the other, as the first
     * member brings the queue. Returns the others.
     */
    private List<RecoveredSession> withoutSharedFirsts() throws JournalException {
        Set<String> groups = new HashSet<>();
        List<RecoveredSession> others = new ArrayList<>(state.sessions().size());
        for (RecoveredSession session : state.sessions()) {
            boolean isFirst = false;
            for (StoredSubscription subscription : session.subscriptions()) {
                isFirst |= subscription.group() != null && groups.add(subscription.group());
            }
            if (isFirst) {
                int index = nextLoop();
                IoLoop loop = parts.loops().get(index);
                await(loop, () -> restored.get(index).add(restore(session, loop)));
            } else {
                others.add(session);
            }
        }
        return others;
    }

    /** Deals sessions out to all loops, which have all of them in turns at once. */
    private List<CompletableFuture<Void>> beginSessions(List<RecoveredSession> sessions) {
        List<List<RecoveredSession>> dealt = new ArrayList<>();
        parts.loops().forEach(loop -> dealt.add(new ArrayList<>()));
        sessions.forEach(session -> dealt.get(nextLoop()).add(session));
        List<CompletableFuture<Void>> tasks = new ArrayList<>();
        for (IoLoop loop : parts.loops()) {
            List<RecoveredSession> its = dealt.get(loop.index());
            List<ClientSession> done = restored.get(loop.index());
            for (int from = 0; from < its.size(); from += SESSIONS_PER_TASK) {
                List<RecoveredSession> some = its.subList(from, Math.min(its.size(), from + SESSIONS_PER_TASK));
                tasks.add(begin(loop, () -> some.forEach(session -> done.add(restore(session, loop)))));
            }
        }
        return tasks;
    }

    private int nextLoop() {
        return next++ % parts.loops().size();
    }

    private void restoreQueues() throws JournalException {
        List<CompletableFuture<Void>> tasks = new ArrayList<>();
        for (RecoveredDestination destination : state.destinations()) {
            IoLoop home = parts.queues().homeOf(destination.name());
            tasks.add(begin(home, () -> {
                MessageQueue queue = parts.queues().restore(destination.name(), destination.kind(), home);
                fill(queue, destination.queueId(), queue::restore);
            }));
        }
        await(all(tasks));
    }

    /** All loops at once, each in turns. */
    private void fillQueues() throws JournalException {
        List<CompletableFuture<Void>> turns = new ArrayList<>();
        for (IoLoop loop : parts.loops()) {
            QueueFilling filling = fillings.get(loop.index());
            for (long count = filling.turns(); count > 0; count--) {
                turns.add(begin(loop, filling::turn));
            }
        }
        await(all(turns));
    }

    private ClientSession restore(RecoveredSession recovered, IoLoop loop) {
        long awayMs = recovered.wasConnected() ? 0 : clock.wallTimeMs() - recovered.disconnectedWallMs();
        ClientSession session = parts.sessions()
                .restore(
                        recovered.clientId(),
                        recovered.expirySeconds(),
                        recovered.will(),
                        clock.nanoTime() - TimeUnit.MILLISECONDS.toNanos(Math.max(0, awayMs)),
                        loop);
        session.userName(recovered.userName());
        store.adopt(session, recovered.id());
        recovered.subscriptions().forEach(subscription -> restore(session, subscription));
        ProtocolState protocolState = recovered.protocolState();
        if (protocolState != null) {
            session.protocolState(protocolState);
        }
        return session;
    }

    private void restore(ClientSession session, StoredSubscription recovered) {
        SubscriptionRequest request = new SubscriptionRequest(
                recovered.key(),
                recovered.filter(),
                recovered.group(),
                recovered.options(),
                recovered.noLocal(),
                recovered.limits(),
                recovered.takes(),
                recovered.selector());
        SubscriptionQueue queue = request.group() == null
                ? parts.subscriptions().newQueue(session, request)
                : parts.subscriptions().restoreShared(request, session.home());
        if (recovered.queueId() != DeliverySource.NOT_STORED && queue.durableId() != recovered.queueId()) {
            // the first member of a shared subscription does it for all
            fill(queue, recovered.queueId(), request.group() == null ? queue::restore : restoringUnbound(queue));
        }
        parts.subscriptions().restore(session, request, queue);
    }

    /** Home loop. The references come later. */
    private void fill(MessageQueue queue, long queueId, ReferenceVisitor others) {
        queue.makeDurable(queueId, store);
        RecoveredQueue recovered = state.queue(queueId);
        if (recovered != null) {
            queue.restoreNextReference(recovered.nextReference());
            fillings.get(queue.home().index()).add(queue, recovered, transactions.filling(queue, queueId, others));
        }
    }

    private ReferenceVisitor restoringUnbound(SubscriptionQueue queue) {
        return (reference, position, storedBytes, deadlineNs, options) -> {
            if (!bound.take(queue, reference, position, storedBytes, deadlineNs, options)) {
                queue.restore(reference, position, storedBytes, deadlineNs, options);
            }
        };
    }

    static void await(IoLoop loop, Runnable task) throws JournalException {
        await(begin(loop, task));
    }

    private static CompletableFuture<Void> begin(IoLoop loop, Runnable task) {
        return CompletableFuture.runAsync(task, loop::execute);
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<Void>> tasks) {
        return CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new));
    }

    private static void await(CompletableFuture<Void> tasks) throws JournalException {
        try {
            tasks.join();
        } catch (CompletionException e) {
            throw new JournalException("what was stored cannot be restored: " + e.getCause(), e.getCause());
        }
    }

    private static long millis(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
