package dev.avocet.core.store;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.destination.QueueKind;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.store.replay.LivePlaceVisitor;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.PendingMessage;
import dev.avocet.core.store.replay.RecoveredDestination;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredRetained;
import dev.avocet.core.store.replay.RecoveredSession;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.time.Clock;
import dev.avocet.core.transaction.TransactedDelivery;
import dev.avocet.core.transaction.TransactedMessage;
import dev.avocet.core.transaction.TransactedTarget;
import dev.avocet.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What there is, line by line in an order of its own, of a running broker or of what was recovered. */
final class ModelText {
    private final StringBuilder text = new StringBuilder();
    /** The numbers of the references in each queue that survives. */
    private final Map<Long, Set<Long>> queues = new TreeMap<>();
    /**
     * Queues by name: a message that waits there for room in the queue for dead letters has another standing and no
     * deadline meanwhile, of which the store knows nothing.
     */
    private final Set<Long> named = new HashSet<>();

    private ModelText() {}

    static String of(RecoveredState state) {
        ModelText made = new ModelText();
        for (RecoveredSession session : state.sessions()) {
            NoteState notes = (NoteState) session.protocolState();
            made.session(session.id(), session.stored(), session.subscriptions(), notes);
        }
        for (RecoveredDestination destination : state.destinations()) {
            made.destination(destination.queueId(), destination.name(), destination.kind());
        }
        List<RecoveredQueue> queues = new ArrayList<>(state.queues());
        queues.sort(Comparator.comparingLong(RecoveredQueue::id));
        for (RecoveredQueue queue : queues) {
            List<Reference> references = new ArrayList<>();
            queue.forEach((number, position, storedBytes, expiryWallMs, options) ->
                    references.add(new Reference(number, position, storedBytes, expiryWallMs, told(options))));
            made.queue(queue.id(), references);
        }
        for (String topic : new TreeSet<>(state.retainedTopics())) {
            RecoveredRetained place = state.retained(topic);
            if (place != null) {
                made.retained(topic, place.position(), place.storedBytes());
            }
        }
        state.prepared().forEach(made::prepared);
        return made.text.toString();
    }

    /** Of a broker that is at rest. */
    static String of(ModelBroker running) {
        ModelText made = new ModelText();
        Broker broker = running.broker;
        Map<Long, MessageQueue> survivors = new TreeMap<>();
        for (ClientSession session : stored(broker.sessions().all())) {
            List<StoredSubscription> subscriptions = new ArrayList<>();
            session.subscriptionsByKey().forEach((key, subscription) -> {
                subscriptions.add(StoredSubscription.of(key, subscription));
                survivors.put(subscription.queue().durableId(), subscription.queue());
            });
            StoredSession its = StoredSession.of(session, running.loops.clock());
            made.session(session.storeId(), its, subscriptions, (NoteState) session.protocolState());
        }
        List<NamedQueue> named = new ArrayList<>(broker.queues().all());
        named.sort(Comparator.comparingLong(queue -> queue.queue().durableId()));
        for (NamedQueue queue : named) {
            made.destination(queue.queue().durableId(), queue.name(), queue.kind());
            survivors.put(queue.queue().durableId(), queue.queue());
        }
        survivors.forEach((id, queue) -> made.queue(id, references(running, queue)));
        Map<String, long[]> retained = new TreeMap<>();
        broker.retained()
                .forEachPlace(place -> retained.put(place.topic(), new long[] {place.position(), place.storedBytes()}));
        retained.forEach((topic, place) -> made.retained(topic, place[0], (int) place[1]));
        for (Transaction transaction : broker.transactions().inDoubt()) {
            made.prepared(transaction);
        }
        return made.text.toString();
    }

    /** How many references into each segment the parts of a broker have that is at rest. */
    static Map<Integer, Long> references(ModelBroker running) {
        Map<Integer, Long> counts = new HashMap<>();
        LivePlaceVisitor visitor =
                (position, storedBytes) -> counts.merge(running.store.segments().segmentOf(position), 1L, Long::sum);
        Broker broker = running.broker;
        for (MessageQueue queue : queues(broker)) {
            references(running, queue).forEach(one -> visitor.onPlace(one.position, one.storedBytes));
        }
        broker.retained().forEachPlace(place -> visitor.onPlace(place.position(), place.storedBytes()));
        for (var loop : running.loops.all()) {
            for (Transaction transaction : broker.storedParts().transactions().of(loop)) {
                for (TransactedMessage message :
                        transaction.isInStore() ? transaction.routed() : List.<TransactedMessage>of()) {
                    for (int left = message.isStored() ? message.storedReferences() : 0; left > 0; left--) {
                        visitor.onPlace(message.position(), message.storedBytes());
                    }
                }
            }
        }
        return counts;
    }

    /** The identifiers of the queues that the store knows. */
    static Set<Long> durableQueues(ModelBroker running) {
        return queues(running.broker).stream()
                .map(MessageQueue::durableId)
                .filter(id -> id != DeliverySource.NOT_STORED)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<MessageQueue> queues(Broker broker) {
        Set<MessageQueue> queues = new HashSet<>(broker.subscriptions().sharedQueues());
        broker.queues().all().forEach(queue -> queues.add(queue.queue()));
        for (ClientSession session : broker.sessions().all()) {
            session.subscriptions().forEach(subscription -> queues.add(subscription.queue()));
        }
        return queues;
    }

    private static List<ClientSession> stored(Collection<ClientSession> sessions) {
        return sessions.stream()
                .filter(session -> session.storeId() != 0)
                .sorted(Comparator.comparingLong(ClientSession::storeId))
                .toList();
    }

    private static List<Reference> references(ModelBroker running, MessageQueue queue) {
        List<Reference> references = new ArrayList<>();
        if (queue.durableId() != DeliverySource.NOT_STORED) {
            QueueSnapshot[] snapshot = new QueueSnapshot[1];
            running.loops.on(queue.home(), () -> {
                snapshot[0] = queue.snapshot();
                while (snapshot[0].gather()) {
                    // all of it
                }
            });
            Clock clock = running.loops.clock();
            snapshot[0].forEach((number, position, storedBytes, deadlineNs, options) -> references.add(
                    new Reference(number, position, storedBytes, wallMs(deadlineNs, clock), told(options))));
        }
        return references;
    }

    private void session(
            long id, StoredSession its, Collection<StoredSubscription> subscriptions, @Nullable NoteState notes) {
        text.append("session ").append(id).append(" of ").append(its.clientId());
        text.append(" for ").append(its.expirySeconds()).append(" s, will ");
        text.append(its.will() == null ? "" : its.will().topic().text()).append('\n');
        subscriptions.stream()
                .map(one -> "  " + one.key() + " of " + one.group() + " to " + one.queueId() + ' '
                        + told(one.options()) + ' ' + (one.noLocal() ? "not its own " : "") + one.takes() + ' '
                        + one.limits() + '\n')
                .sorted()
                .forEach(text::append);
        if (notes != null && !notes.notes().isEmpty()) {
            text.append("  notes ").append(notes.notes()).append('\n');
        }
    }

    private void destination(long id, String name, QueueKind kind) {
        named.add(id);
        text.append("queue ")
                .append(id)
                .append(' ')
                .append(name)
                .append(' ')
                .append(kind)
                .append('\n');
    }

    private void queue(long id, List<Reference> references) {
        Set<Long> numbers = queues.computeIfAbsent(id, key -> new HashSet<>());
        if (!references.isEmpty()) {
            text.append("in queue ").append(id).append('\n');
        }
        references.sort(Comparator.comparingLong(Reference::number));
        for (Reference one : references) {
            numbers.add(one.number);
            text.append("  ").append(one.number).append(" at ").append(one.position);
            text.append(", ").append(one.storedBytes).append(" bytes");
            if (!named.contains(id)) {
                text.append(", until ").append(one.expiryWallMs).append(' ').append(one.options);
            }
            text.append('\n');
        }
    }

    /** What a subscription, or one message of it, wants. */
    private static String told(@Nullable DeliveryOptions options) {
        if (options == null) {
            return "";
        }
        String own = options.ownWay() ? "" : options.qos() + (options.retainAsPublished() ? " as published" : "");
        return own
                + (options.retained() ? " retained" : "")
                + Arrays.toString(options.subscriptionIdentifiers())
                + DeliveryOptions.standingOf(options);
    }

    private static long wallMs(long deadlineNs, Clock clock) {
        return deadlineNs == Message.NEVER
                ? Message.NEVER
                : clock.wallTimeMs() + Math.round((deadlineNs - clock.nanoTime()) / 1e6);
    }

    private void retained(String topic, long position, int storedBytes) {
        text.append("retained ").append(topic).append(" at ").append(position);
        text.append(", ").append(storedBytes).append(" bytes\n");
    }

    private void prepared(RecoveredTransaction transaction) {
        Transacted all = new Transacted();
        for (PendingMessage message : transaction.messages()) {
            all.message(message.position(), message.retainedTopic(), message.isKept());
            message.targets().forEach(target -> all.target(message.position(), target.queueId(), target.reference()));
        }
        for (RecoveredTransaction.Acknowledged range : transaction.acknowledged()) {
            for (long number = range.first(); number <= range.last(); number++) {
                all.acknowledged(range.queueId(), number);
            }
        }
        all.show(transaction.id());
    }

    private void prepared(Transaction transaction) {
        Transacted all = new Transacted();
        for (TransactedMessage message : transaction.routed()) {
            if (message.isStored()) {
                String topic = message.retainedTopic() == null
                        ? null
                        : message.retainedTopic().text();
                all.message(message.position(), topic, message.isKept());
                for (TransactedTarget target : message.targets()) {
                    if (target.isStored()) {
                        all.target(message.position(), target.queue().durableId(), target.reference());
                    }
                }
            }
        }
        for (TransactedDelivery delivery : transaction.deliveries()) {
            if (delivery.isStored()) {
                all.acknowledged(delivery.queue().durableId(), delivery.reference());
            }
        }
        all.show(transaction.id());
    }

    /** A transaction, without what concerns queues that are over. */
    private final class Transacted {
        private final Set<String> lines = new TreeSet<>();

        void message(long position, @Nullable String topic, boolean kept) {
            if (topic != null) {
                lines.add("  " + position + (kept ? " retained of " : " removes that of ") + topic);
            }
        }

        void target(long position, long queueId, long reference) {
            if (queues.containsKey(queueId)) {
                lines.add("  " + position + " to " + queueId + " as " + reference);
            }
        }

        void acknowledged(long queueId, long reference) {
            if (queues.getOrDefault(queueId, Set.of()).contains(reference)) {
                lines.add("  without " + reference + " of " + queueId);
            }
        }

        void show(long id) {
            text.append("prepared ").append(id).append('\n');
            lines.forEach(line -> text.append(line).append('\n'));
        }
    }

    private record Reference(long number, long position, int storedBytes, long expiryWallMs, String options) {}
}
