package dev.avocet.core.store.transfer;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.store.write.RunningStore;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the sessions and retained messages of an export into a running broker, record by record. A session is its
 * client's once all of it is durable; a broker that is killed before has nothing of it. Where one cannot be taken the
 * others are.
 *
 * <p>One owner, which waits for the loops and the disk; each imports once.
 */
public final class SessionImport {
    private static final int TOGETHER = 256;
    private static final int BYTES_TOGETHER = 1 << 20;

    private final RunningStore store;
    private final StoredParts parts;
    private final ProtocolStates protocolStates;
    private final Clock clock;
    private final LoopCalls calls;
    private final PlaceReads reads;
    private final ImportedRetained retained;
    private final IoLoop first;

    /** By their numbers in the export: those that are shared, and the own ones of the present session. */
    private final Map<Long, ImportedQueue> queues = new HashMap<>();

    private final List<StoredSubscription> subscriptions = new ArrayList<>();
    private final List<byte[]> protocol = new ArrayList<>();
    private final List<Transferred.Waiting> waiting = new ArrayList<>();
    private final List<Message> waitingRetained = new ArrayList<>();
    private long waitingBytes;
    private @Nullable ImportedSession present;
    private boolean opened;
    private @Nullable String problem;
    private int next;
    private long messages;
    private int leftOut;
    private TransferCounts counts = TransferCounts.NONE;

    public SessionImport(RunningStore store, StoredParts parts, ProtocolStates protocolStates, Clock clock) {
        this.store = store;
        this.parts = parts;
        this.protocolStates = protocolStates;
        this.clock = clock;
        this.calls = new LoopCalls(store);
        this.first = parts.loops().get(0);
        this.reads = new PlaceReads(store, calls, first);
        this.retained = new ImportedRetained(parts.retained(), store, first);
    }

    /** What is here by now. Any thread may ask when the owner has let it. */
    public TransferCounts counts() {
        return counts.plus(0, 0, 0, retained.kept());
    }

    /** Whether the client has a session here. */
    public boolean isThere(String clientId) {
        return parts.sessions().find(clientId) != null;
    }

    /**
     * Takes the next record.
     *
     * @param reader of this import alone
     * @param problems hears of sessions and messages that could not be taken
     */
    public void take(TransferReader reader, int kind, byte[] bytes, Consumer<String> problems)
            throws TransferException {
        Transferred record = reader.read(kind, bytes);
        if (record instanceof Transferred.Session begun) {
            begin(begun.session());
        } else if (record instanceof Transferred.Subscribed subscribed) {
            subscriptions.add(subscribed.subscription());
        } else if (record instanceof Transferred.Waiting one) {
            add(one);
        } else if (record instanceof Transferred.Protocol one) {
            protocol.add(one.entry());
        } else if (record instanceof Transferred.SessionEnd) {
            end(problems);
        } else if (record instanceof Transferred.Retained one) {
            add(one.message());
        } else if (record instanceof Transferred.End) {
            writeRetained();
        }
    }

    /** Nothing more comes: what is half there goes, and what was kept for members who have not come is free. */
    public void close() throws TransferException {
        ImportedSession unfinished = present;
        if (unfinished != null) {
            calls.on(unfinished.home(), () -> {
                unfinished.abandon();
                return true;
            });
        }
        for (ImportedQueue queue : queues.values()) {
            calls.on(queue.queue().home(), () -> {
                queue.giveBackBound();
                return true;
            });
        }
    }

    private void begin(StoredSession session) {
        IoLoop home = parts.loops().get(next++ % parts.loops().size());
        present = new ImportedSession(parts, store, clock, home, session);
        opened = false;
        problem = null;
        messages = 0;
        leftOut = 0;
        subscriptions.clear();
        protocol.clear();
    }

    /** Once all its subscriptions are known. */
    private ImportedSession open() throws TransferException {
        ImportedSession session = Objects.requireNonNull(present);
        if (!opened) {
            opened = true;
            problem = calls.on(session.home(), () -> session.open(subscriptions, queues));
            calls.settle(session.home());
        }
        return session;
    }

    private void add(Transferred.Waiting one) throws TransferException {
        open();
        if (!waiting.isEmpty() && waiting.get(0).queueId() != one.queueId()) {
            write();
        }
        waiting.add(one);
        waitingBytes += one.message().sizeBytes();
        if (waiting.size() == TOGETHER || waitingBytes > BYTES_TOGETHER) {
            write();
        }
    }

    private void write() throws TransferException {
        List<Transferred.Waiting> some = List.copyOf(waiting);
        waiting.clear();
        waitingBytes = 0;
        ImportedQueue queue = some.isEmpty() ? null : queues.get(some.get(0).queueId());
        if (queue == null || problem != null) {
            return;
        }
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        int refusedBefore = queue.refused();
        IoLoop home = queue.queue().home();
        home.execute(() -> {
            try {
                queue.write(some, written);
            } catch (RuntimeException e) {
                written.completeExceptionally(e);
            }
        });
        if (calls.await(written)) {
            int refused = queue.refused() - refusedBefore;
            messages += some.size() - refused;
            leftOut += refused;
        } else {
            problem = "the disk has no room for its messages, or one of them is larger than the journal takes";
        }
    }

    private void end(Consumer<String> problems) throws TransferException {
        ImportedSession session = open();
        write();
        if (problem == null) {
            complete(session);
        }
        if (problem == null) {
            counts = counts.plus(1, subscriptions.size(), messages, 0);
            if (leftOut > 0) {
                problems.accept(leftOut + " messages that are not persistent were left out of the session of '"
                        + session.clientId() + "': the queue, or the broker's heap, has no room for them");
            }
        } else {
            problems.accept("the session of '" + session.clientId() + "' was not imported: " + problem);
            calls.on(session.home(), () -> {
                session.abandon();
                return true;
            });
        }
        present = null;
        for (StoredSubscription subscription : subscriptions) {
            if (subscription.group() == null) {
                queues.remove(subscription.queueId());
            }
        }
    }

    private void complete(ImportedSession session) throws TransferException {
        if (!protocol.isEmpty()) {
            ProtocolState state = protocolStates.create();
            problem = calls.on(session.home(), () -> restore(session, state));
            if (problem != null) {
                return;
            }
            deliverBound(session, state);
        }
        CompletableFuture<Boolean> complete = new CompletableFuture<>();
        session.home().execute(() -> {
            try {
                session.complete(complete);
            } catch (RuntimeException e) {
                complete.completeExceptionally(e);
            }
        });
        if (!calls.await(complete)) {
            problem = "it was ended meanwhile";
        }
    }

    private @Nullable String restore(ImportedSession session, ProtocolState state) {
        try {
            session.restore(protocol, state, queues);
            return null;
        } catch (JournalException e) {
            return e.getMessage();
        }
    }

    private void deliverBound(ImportedSession session, ProtocolState state) throws TransferException {
        List<ImportedSession.Bound> bound = calls.on(session.home(), () -> ImportedSession.bound(state, queues));
        for (int from = 0; from < bound.size(); from += TOGETHER) {
            List<ImportedSession.Bound> some = bound.subList(from, Math.min(bound.size(), from + TOGETHER));
            @Nullable Message[] found =
                    reads.fetch(some.stream().map(ImportedSession.Bound::place).toList());
            calls.on(session.home(), () -> {
                for (int i = 0; i < found.length; i++) {
                    ImportedSession.Bound one = some.get(i);
                    Message message = found[i];
                    if (message == null || message == QueueStore.DAMAGED) {
                        one.queue()
                                .queue()
                                .giveBackReferences(new long[] {one.place().reference()});
                    } else {
                        session.deliver(
                                one,
                                new StoredMessage(
                                        message,
                                        one.place().position(),
                                        one.place().storedBytes()),
                                state);
                    }
                }
                return true;
            });
        }
    }

    private void add(Message message) throws TransferException {
        waitingRetained.add(message);
        waitingBytes += message.sizeBytes();
        if (waitingRetained.size() == TOGETHER || waitingBytes > BYTES_TOGETHER) {
            writeRetained();
        }
    }

    private void writeRetained() throws TransferException {
        List<Message> some = List.copyOf(waitingRetained);
        waitingRetained.clear();
        waitingBytes = 0;
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        first.execute(() -> {
            try {
                retained.write(some, written);
            } catch (RuntimeException e) {
                written.completeExceptionally(e);
            }
        });
        if (!calls.await(written)) {
            throw new TransferException(
                    "the broker takes no more retained messages: their number is at its limit, or the disk is full");
        }
    }
}
