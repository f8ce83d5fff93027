package dev.avocet.core.store.transfer;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.SessionRegistry;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.store.transfer.QueueReferences.Place;
import dev.avocet.core.store.write.RunningStore;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.RetainedPlace;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.transaction.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes sessions and retained messages out of a running broker; they stay here as well. The clients must be away. Each
 * session is looked at in turns of its loop, each queue at one moment; messages are read from the disk afterwards, some
 * at a time.
 *
 * <p>Sessions that end with their connections do not travel. Messages that wait in memory alone do; those that are in
 * flight in memory alone stay, and are counted. Nothing is exported while a transaction in doubt holds messages or
 * acknowledgements of the sessions: only its coordinator knows whether they are theirs.
 *
 * <p>One owner, which waits for the loops and the disk; each exports once.
 */
public final class SessionExport {
    private static final int PER_READ = 256;
    private static final int RETAINED_PER_READ = 16;
    private static final int READ_BYTES = 1 << 20;
    /** How often to look whether consumers of a client that was disconnected have left. */
    private static final int LOOKS = 500;

    private static final int NAMED = 100;
    private static final String BROKERS_OWN_TOPICS = "$SYS/";

    private final StoredParts parts;
    private final SessionRegistry sessions;
    private final Clock clock;
    private final LoopCalls calls;
    private final IoLoop reading;
    private final PlaceReads reads;
    private final Map<String, SharedCapture> shared = new HashMap<>();
    private final Set<SubscriptionQueue> own = new HashSet<>();
    private long damaged;
    private long staying;

    public SessionExport(RunningStore store, StoredParts parts, Clock clock) {
        this.parts = parts;
        this.sessions = parts.sessions();
        this.clock = clock;
        this.calls = new LoopCalls(store);
        this.reading = parts.loops().get(0);
        this.reads = new PlaceReads(store, calls, reading);
    }

    /** Messages that the disk has damaged, and which are not in the export. */
    public long damaged() {
        return damaged;
    }

    /** Messages in flight that are in memory alone, and which are not in the export. */
    public long staying() {
        return staying;
    }

    /**
     * Exports.
     *
     * @param sessionIds as the core calls the sessions; those that are not stored are left out
     * @param topics of the retained messages
     * @param disconnects whether clients that are connected are disconnected first
     * @throws TransferException when clients are connected, or transactions are in doubt
     */
    public TransferCounts run(
            List<String> sessionIds, Predicate<String> topics, boolean disconnects, TransferRecords records)
            throws TransferException, IOException {
        if (disconnects) {
            disconnect(sessionIds);
        }
        List<String> stored = survey(sessionIds, disconnects);
        expectNothingInDoubt();
        TransferWriter out = new TransferWriter(records, clock);
        for (String id : stored) {
            SessionCapture capture = capture(id);
            if (capture != null) {
                write(capture, out);
            }
        }
        writeRetained(topics, out);
        out.end();
        return out.counts();
    }

    /** What there is of a session; null where there is none by that name. */
    private @Nullable SessionCapture capture(String id) throws TransferException {
        SessionCapture capture = onHome(id, session -> SessionCapture.begin(session, clock));
        if (capture == null) {
            return null;
        }
        Boolean more = true;
        while (Boolean.TRUE.equals(more)) {
            more = onHome(id, session -> capture.isOf(session) ? capture.gather() : null);
        }
        return more == null ? null : capture; // null when it has ended meanwhile
    }

    private void disconnect(List<String> sessionIds) throws TransferException {
        for (String id : sessionIds) {
            onHome(id, session -> {
                if (session.storeId() != 0 || id.startsWith(ClientSession.JMS_PREFIX)) {
                    sessions.disconnect(session);
                }
                return true;
            });
        }
        for (IoLoop loop : parts.loops()) {
            calls.settle(loop);
        }
    }

    /** Which of the sessions are stored; all of them must be without a client. */
    private List<String> survey(List<String> sessionIds, boolean patient) throws TransferException {
        List<String> stored = new ArrayList<>();
        List<String> connected = new ArrayList<>();
        for (String id : sessionIds) {
            Boolean isConnected = onHome(id, session -> session.storeId() == 0 ? null : survey(session));
            if (isConnected != null) {
                stored.add(id);
                if (isConnected) {
                    connected.add(id);
                }
            }
        }
        shared.keySet()
                .removeIf(group -> parts.subscriptions().sharers(group)
                        != shared.get(group).members());
        for (SharedCapture group : shared.values()) {
            if (isConsumed(group.queue(), patient)) {
                connected.add(group.queue().name());
            }
        }
        if (!connected.isEmpty()) {
            throw new TransferException(connected.size() + " clients are connected: "
                    + connected.stream().limit(NAMED).collect(Collectors.joining(", "))
                    + "; disconnect them first, or export with Force");
        }
        return stored;
    }

    /** Notes its subscriptions; whether its client is connected. Home loop. */
    private boolean survey(ClientSession session) {
        for (Subscription subscription : session.subscriptions()) {
            String group = subscription.group();
            if (group == null) {
                own.add(subscription.queue());
            } else {
                shared.computeIfAbsent(group, name -> new SharedCapture(subscription.queue()))
                        .addMember();
            }
        }
        ProtocolState state = session.protocolState();
        if (state != null) {
            Map<Long, SharedCapture> byQueue = new HashMap<>();
            shared.values().forEach(each -> byQueue.put(each.queue().durableId(), each));
            state.forEachInFlight((delivery, queueId, reference) -> {
                SharedCapture group = byQueue.get(queueId);
                if (group != null) {
                    group.bind(reference);
                }
            });
        }
        return session.client() != null;
    }

    private void expectNothingInDoubt() throws TransferException {
        Set<SubscriptionQueue> exported = new HashSet<>(own);
        shared.values().forEach(group -> exported.add(group.queue()));
        List<String> branches = new ArrayList<>();
        for (IoLoop loop : parts.loops()) {
            branches.addAll(calls.on(
                    loop,
                    () -> parts.transactions().of(loop).stream()
                            .filter(transaction -> transaction.isInDoubt() && touches(transaction, exported))
                            .map(transaction -> String.valueOf(transaction.branch()))
                            .toList()));
        }
        if (!branches.isEmpty()) {
            throw new TransferException(
                    branches.size()
                            + " transactions in doubt hold messages or acknowledgements of these clients: "
                            + branches.stream().sorted().limit(NAMED).collect(Collectors.joining(", "))
                            + "; have their coordinators end them, or commit or roll back each of them yourself, and export again");
        }
    }

    /** On the transaction's loop. */
    private static boolean touches(Transaction transaction, Set<SubscriptionQueue> queues) {
        return transaction.deliveries().stream().anyMatch(delivery -> queues.contains(delivery.queue()))
                || transaction.routed().stream()
                        .flatMap(message -> message.targets().stream())
                        .anyMatch(target -> queues.contains(target.queue()));
    }

    private boolean isConsumed(SubscriptionQueue queue, boolean patient) throws TransferException {
        for (int look = patient ? 0 : LOOKS - 1; look < LOOKS; look++) {
            if (queue.statistics().consumers() == 0) {
                return false;
            }
            calls.pause(reading);
        }
        return true;
    }

    private void write(SessionCapture capture, TransferWriter out) throws TransferException, IOException {
        String clientId = capture.session().clientId();
        if (capture.isConnected()) {
            throw new TransferException(clientId + " has connected meanwhile");
        }
        staying += capture.staying();
        out.session(capture.session());
        for (StoredSubscription subscription : capture.subscriptions()) {
            out.subscription(subscription);
        }
        for (SessionCapture.Waiting waiting : capture.own()) {
            writeMessages(waiting, reference -> false, out);
        }
        for (StoredSubscription subscription : capture.subscriptions()) {
            SharedCapture group = subscription.group() == null ? null : shared.get(subscription.group());
            if (group != null && group.takeTurn()) {
                SubscriptionQueue queue = group.queue();
                SessionCapture.Waiting waiting = calls.on(queue.home(), () -> SessionCapture.Waiting.of(queue));
                writeMessages(waiting, group::isBound, out);
            }
        }
        for (byte[] entry : capture.protocol()) {
            out.protocol(entry);
        }
        out.sessionEnd();
    }

    private void writeMessages(SessionCapture.Waiting waiting, LongPredicate bound, TransferWriter out)
            throws TransferException, IOException {
        Iterator<SessionCapture.Unstored> unstored = waiting.unstoredInOrder().iterator();
        SessionCapture.Unstored ahead = nextOf(unstored);
        List<Place> places = waiting.places();
        SubscriptionQueue queue = waiting.queue();
        long queueId = queue.durableId();
        MovingMessages stored =
                new MovingMessages(reads::fetch, () -> QueueReferences.of(calls.on(queue.home(), queue::snapshot)));
        for (int from = 0; from < places.size(); ) {
            List<Place> some = places.subList(from, endOfRead(places, from));
            @Nullable Message[] messages = stored.read(some);
            for (int i = 0; i < messages.length; i++) {
                Place place = some.get(i);
                while (ahead != null && ahead.before() <= place.reference()) {
                    write(ahead, queueId, out);
                    ahead = nextOf(unstored);
                }
                Message message = messages[i];
                if (message == QueueStore.DAMAGED) {
                    damaged++;
                } else if (message != null && !message.isExpired(clock.nanoTime())) {
                    out.waiting(queueId, place.reference(), bound.test(place.reference()), place.options(), message);
                }
            }
            from += some.size();
        }
        for (; ahead != null; ahead = nextOf(unstored)) {
            write(ahead, queueId, out);
        }
    }

    private static int endOfRead(List<Place> places, int from) {
        int to = from + 1;
        long bytes = places.get(from).storedBytes();
        while (to < places.size()
                && to - from < PER_READ
                && bytes + places.get(to).storedBytes() <= READ_BYTES) {
            bytes += places.get(to).storedBytes();
            to++;
        }
        return to;
    }

    private static SessionCapture.@Nullable Unstored nextOf(Iterator<SessionCapture.Unstored> unstored) {
        return unstored.hasNext() ? unstored.next() : null;
    }

    private void write(SessionCapture.Unstored unstored, long queueId, TransferWriter out) throws IOException {
        if (!unstored.message().isExpired(clock.nanoTime())) {
            out.waiting(queueId, DeliverySource.NOT_STORED, false, unstored.options(), unstored.message());
        }
    }

    private void writeRetained(Predicate<String> topics, TransferWriter out) throws TransferException, IOException {
        Predicate<String> wanted = topic -> !topic.startsWith(BROKERS_OWN_TOPICS) && topics.test(topic);
        // Those on disk first: they may come into memory meanwhile, but not the other way.
        List<RetainedPlace> unread = new ArrayList<>();
        parts.retained().forEachUnread(place -> {
            if (wanted.test(place.topic())) {
                unread.add(place);
            }
        });
        long nowNs = clock.nanoTime();
        try {
            parts.retained().forEach(message -> {
                if (!message.isExpired(nowNs) && wanted.test(message.topic().text())) {
                    write(message, out);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (int from = 0; from < unread.size(); from += RETAINED_PER_READ) {
            List<RetainedPlace> some = unread.subList(from, Math.min(unread.size(), from + RETAINED_PER_READ));
            for (Message message : fetchRetained(some)) {
                if (!message.isExpired(nowNs)) {
                    out.retained(message);
                }
            }
        }
    }

    private static void write(Message message, TransferWriter out) {
        try {
            out.retained(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those of them that are retained still. */
    private List<Message> fetchRetained(List<RetainedPlace> places) throws TransferException {
        List<Message> found = new ArrayList<>();
        @Nullable Message[] messages = fetchPlaces(places);
        for (int i = 0; i < messages.length; i++) {
            Message message =
                    messages[i] == null ? fetchAgain(TopicName.of(places.get(i).topic())) : messages[i];
            if (message == QueueStore.DAMAGED) {
                damaged++;
            } else if (message != null) {
                found.add(message);
            }
        }
        return found;
    }

    /** A retained message that does not lie where it did: it has been moved, is in memory by now, or is no longer. */
    private @Nullable Message fetchAgain(TopicName topic) throws TransferException {
        for (int attempt = 1; attempt < MovingMessages.ATTEMPTS; attempt++) {
            RetainedPlace now = parts.retained().place(topic);
            if (now == null) {
                return parts.retained().find(topic, clock.nanoTime());
            }
            Message message = fetchPlaces(List.of(now))[0];
            if (message != null) {
                return message;
            }
        }
        throw MovingMessages.movedEachTime();
    }

    private @Nullable Message[] fetchPlaces(List<RetainedPlace> places) throws TransferException {
        return reads.fetch(places.stream()
                .map(place -> new Place(0, place.position(), place.storedBytes(), null))
                .toList());
    }

    /** What the task says of a session; null where there is none by that name. */
    private <T> @Nullable T onHome(String id, Function<ClientSession, @Nullable T> task) throws TransferException {
        while (true) {
            ClientSession session = sessions.find(id);
            if (session == null) {
                return null;
            }
            IoLoop home = session.home();
            List<@Nullable T> answer = calls.on(home, () -> {
                List<@Nullable T> its = new ArrayList<>(1);
                if (session.home() == home && !session.hasEnded()) {
                    its.add(task.apply(session));
                }
                return its;
            });
            if (!answer.isEmpty()) {
                return answer.get(0);
            }
        }
    }
}
