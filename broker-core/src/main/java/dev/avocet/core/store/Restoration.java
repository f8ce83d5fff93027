package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.DeliverySource;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.ReferenceVisitor;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts what was recovered into an empty broker: retained messages, sessions with their subscriptions, queues and
 * protocol state, and prepared transactions. Sessions are dealt out to the loops; their clients choose another one when
 * they come back. Runs on the thread that starts the broker and waits for the loops, which do the work.
 */
final class Restoration {
    private static final int SESSIONS_PER_TASK = 256;
    private static final int RETAINED_PER_READ = 1_024;

    private final RecoveredState state;
    private final Store store;
    private final StoredParts parts;
    private final MessageReads reads;
    private final BoundDeliveries bound;
    private final Clock clock;
    private final RestoredTransactions transactions;
    private List<List<ClientSession>> restored = List.of();

    Restoration(RecoveredState state, Store store, StoredParts parts, MessageReads reads, Clock clock) {
        this.state = state;
        this.store = store;
        this.parts = parts;
        this.reads = reads;
        this.bound = BoundDeliveries.of(state);
        this.clock = clock;
        transactions = new RestoredTransactions(state.prepared(), clock);
    }

    /** Brings everything back. */
    void run() throws JournalException {
        restoreRetained(state.retained());
        state.forgetRetained();
        restored = restoreSessions();
        restoreQueues();
        transactions.restoreInto(parts.transactions(), parts.loops(), Restoration::await);
        bound.deliver(parts, reads);
        onEachLoop(restored, Restoration::onRestored);
    }

    /** Begins what sessions wait for, now that all are there: a will may go to any of them. */
    void resumeWaiting() throws JournalException {
        onEachLoop(restored, parts.sessions()::resumeWaiting);
    }

    private void onEachLoop(List<List<ClientSession>> sessions, Consumer<ClientSession> action)
            throws JournalException {
        for (int index = 0; index < parts.loops().size(); index++) {
            List<ClientSession> some = sessions.get(index);
            await(parts.loops().get(index), () -> some.forEach(action));
        }
    }

    private static void onRestored(ClientSession session) {
        ProtocolState protocolState = session.protocolState();
        if (protocolState != null) {
            protocolState.onRestored(session);
        }
    }

    private void restoreRetained(Collection<RecoveredRetained> all) throws JournalException {
        List<RecoveredRetained> some = new ArrayList<>(RETAINED_PER_READ);
        for (RecoveredRetained one : all) {
            some.add(one);
            if (some.size() == RETAINED_PER_READ) {
                readRetained(some);
                some.clear();
            }
        }
        readRetained(some);
    }

    private void readRetained(List<RecoveredRetained> some) throws JournalException {
        @Nullable StoredMessage[] messages = new StoredMessage[some.size()];
        long[] positions = some.stream().mapToLong(RecoveredRetained::position).toArray();
        int[] storedBytes =
                some.stream().mapToInt(RecoveredRetained::storedBytes).toArray();
        List<JournalException> failures = new ArrayList<>(0);
        reads.read(positions, storedBytes, messages.length, messages, (position, cause) -> {
            if (cause instanceof DamagedMessageException) {
                store.lost("a topic's retained message", position);
            } else {
                failures.add(cause);
            }
        });
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        for (int i = 0; i < messages.length; i++) {
            if (messages[i] == null) {
                store.abandoned(positions[i], storedBytes[i]); // the next checkpoint does without it
            }
        }
        for (StoredMessage message : messages) {
            if (message != null && !parts.retained().store(message)) {
                store.abandoned(message.position(), message.storedBytes());
            }
        }
    }

    private List<List<ClientSession>> restoreSessions() throws JournalException {
        int loops = parts.loops().size();
        List<List<ClientSession>> restored = new ArrayList<>();
        List<List<RecoveredSession>> waiting = new ArrayList<>();
        for (int index = 0; index < loops; index++) {
            restored.add(new ArrayList<>());
            waiting.add(new ArrayList<>());
        }
        int next = 0;
        for (RecoveredSession session : state.sessions()) {
            int index = next++ % loops;
            List<RecoveredSession> some = waiting.get(index);
            some.add(session);
            if (some.size() == SESSIONS_PER_TASK) {
                restore(parts.loops().get(index), some, restored.get(index));
            }
        }
        for (int index = 0; index < loops; index++) {
            restore(parts.loops().get(index), waiting.get(index), restored.get(index));
        }
        return restored;
    }

    private void restoreQueues() throws JournalException {
        for (RecoveredDestination destination : state.destinations()) {
            IoLoop home = parts.queues().homeOf(destination.name());
            await(home, () -> {
                MessageQueue queue = parts.queues().restore(destination.name(), destination.kind(), home);
                fill(queue, destination.queueId(), false);
            });
        }
    }

    private void restore(IoLoop loop, List<RecoveredSession> some, List<ClientSession> restored)
            throws JournalException {
        await(loop, () -> some.forEach(session -> restored.add(restore(session, loop))));
        some.clear();
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
        MessageQueue queue = request.group() == null
                ? parts.subscriptions().newQueue(session, request)
                : parts.subscriptions().restoreShared(request, session.home());
        if (recovered.queueId() != DeliverySource.NOT_STORED && queue.durableId() != recovered.queueId()) {
            fill(
                    queue,
                    recovered.queueId(),
                    request.group() != null); // the first member of a shared subscription does it for all
        }
        parts.subscriptions().restore(session, request, queue);
    }

    private void fill(MessageQueue queue, long queueId, boolean shared) {
        queue.makeDurable(queueId, store);
        RecoveredQueue recovered = state.queue(queueId);
        if (recovered != null) {
            queue.restoreNextReference(recovered.nextReference());
            transactions.fill(queue, recovered, shared ? restoringUnbound(queue) : queue::restore);
        }
    }

    private ReferenceVisitor restoringUnbound(MessageQueue queue) {
        return (reference, position, storedBytes, deadlineNs, options) -> {
            if (!bound.take(queue, reference, position, storedBytes, deadlineNs, options)) {
                queue.restore(reference, position, storedBytes, deadlineNs, options);
            }
        };
    }

    static void await(IoLoop loop, Runnable task) throws JournalException {
        try {
            CompletableFuture.runAsync(task, loop::execute).join();
        } catch (CompletionException e) {
            throw new JournalException("what was stored cannot be restored: " + e.getCause(), e.getCause());
        }
    }
}
