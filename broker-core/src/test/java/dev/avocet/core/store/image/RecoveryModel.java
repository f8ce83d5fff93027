package dev.avocet.core.store.image;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.store.checkpoint.FakeQueueSnapshot;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.store.replay.PendingMessage;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.store.replay.Rendering;
import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What should survive, kept simply: as the log says it, or as the running broker has it. */
final class RecoveryModel {
    final TreeMap<Long, Session> sessions = new TreeMap<>();
    final TreeMap<Long, TreeMap<Long, Reference>> queues = new TreeMap<>();
    final TreeMap<String, Place> retained = new TreeMap<>();
    final TreeMap<Long, Transaction> transactions = new TreeMap<>();

    RecoveryModel copy() {
        RecoveryModel copy = new RecoveryModel();
        sessions.forEach((id, session) -> copy.sessions.put(id, session.copy()));
        queues.forEach((id, queue) -> copy.queues.put(id, new TreeMap<>(queue)));
        copy.retained.putAll(retained);
        transactions.forEach((id, transaction) -> copy.transactions.put(id, transaction.copy()));
        return copy;
    }

    /** A message has come to a queue. */
    void put(long queue, long number, Reference reference) {
        queue(queue).put(number, reference);
    }

    /** A message lies elsewhere. */
    void move(long queue, long number, long position, int storedBytes) {
        queue(queue)
                .computeIfPresent(
                        number, (key, its) -> new Reference(position, storedBytes, its.expiryWallMs, its.options));
    }

    void endSession(long id) {
        sessions.remove(id);
    }

    NavigableMap<Long, Reference> queue(long id) {
        return queues.computeIfAbsent(id, key -> new TreeMap<>());
    }

    /** The queues that some subscription names. */
    NavigableSet<Long> named() {
        TreeSet<Long> named = new TreeSet<>();
        sessions.values().forEach(session -> session.subscriptions.values().forEach(its -> named.add(its.queue)));
        return named;
    }

    /** What a life that is over leaves to the next one. */
    RecoveryModel left() {
        RecoveryModel left = copy();
        left.joinNewestOfEachGroup();
        left.queues.keySet().retainAll(left.named());
        left.transactions.values().removeIf(transaction -> transaction.branch == null);
        return left;
    }

    /** A member that left an earlier queue of its group, and whose loop did not write that, is one of the newest. */
    private void joinNewestOfEachGroup() {
        Map<String, Long> newest = new TreeMap<>();
        forEachShared((session, key, its) -> newest.merge(key, its.queue, Math::max));
        forEachShared((session, key, its) ->
                session.subscriptions.put(key, new Subscription(its.group, newest.getOrDefault(key, its.queue))));
    }

    private void forEachShared(SharedVisitor visitor) {
        sessions.values()
                .forEach(session -> Map.copyOf(session.subscriptions).forEach((key, its) -> {
                    if (its.group != null) {
                        visitor.onShared(session, key, its);
                    }
                }));
    }

    private interface SharedVisitor {
        void onShared(Session session, String key, Subscription subscription);
    }

    List<Long> places() {
        List<Long> places = new ArrayList<>();
        queues.values().forEach(queue -> queue.values().forEach(its -> places.add(its.position)));
        retained.values().forEach(its -> places.add(its.position));
        transactions.values().forEach(transaction -> transaction.places.forEach(its -> places.add(its.position)));
        return places;
    }

    String render() {
        StringBuilder text = new StringBuilder();
        sessions.forEach((id, session) -> {
            text.append(Rendering.session(id, "client" + id, session.expirySeconds, session.goneWallMs, session.will));
            session.subscriptions.forEach((key, its) -> text.append(Rendering.subscription(key, its.group, its.queue)));
            text.append(Rendering.notes(session.notes));
        });
        for (long id : named()) {
            text.append(Rendering.queue(id));
            queue(id)
                    .forEach((number, its) -> text.append(
                            Rendering.reference(number, its.position, its.storedBytes, its.expiryWallMs, its.options)));
        }
        retained.forEach((topic, its) -> text.append(Rendering.retained(topic, its.position, its.storedBytes)));
        transactions.forEach((id, transaction) -> {
            if (transaction.branch != null) {
                text.append(Rendering.prepared(
                        id, transaction.branch, transaction.pending(named()), transaction.acknowledged(named())));
            }
        });
        return text.toString();
    }

    FakeQueueSnapshot snapshot(long queue, long nextReference, Clock clock) {
        List<FakeQueueSnapshot.Reference> references = new ArrayList<>();
        queue(queue)
                .forEach((number, its) -> references.add(new FakeQueueSnapshot.Reference(
                        number,
                        its.position,
                        its.storedBytes,
                        its.expiryWallMs == RecoveredQueue.NEVER
                                ? Message.NEVER
                                : MessageEntry.deadlineNs(its.expiryWallMs, clock),
                        its.options)));
        return new FakeQueueSnapshot(queue, nextReference, references);
    }

    static final class Session {
        long expirySeconds;
        long goneWallMs;
        String will = "";
        final TreeMap<String, Subscription> subscriptions = new TreeMap<>();
        final TreeSet<Integer> notes = new TreeSet<>();

        Session copy() {
            Session copy = new Session();
            copy.expirySeconds = expirySeconds;
            copy.goneWallMs = goneWallMs;
            copy.will = will;
            copy.subscriptions.putAll(subscriptions);
            copy.notes.addAll(notes);
            return copy;
        }
    }

    record Subscription(@Nullable String group, long queue) {}

    record Reference(
            long position,
            int storedBytes,
            long expiryWallMs,
            @Nullable DeliveryOptions options) {}

    record Place(long position, int storedBytes) {}

    static final class Transaction {
        byte @Nullable [] branch;
        final List<Consumer<RecoveryModel>> effects = new ArrayList<>();
        final List<Place> places = new ArrayList<>();
        final List<PendingMessage> messages = new ArrayList<>();
        /** For each queue the references. */
        final TreeMap<Long, NavigableSet<Long>> acknowledged = new TreeMap<>();

        Transaction copy() {
            Transaction copy = new Transaction();
            copy.branch = branch;
            copy.effects.addAll(effects);
            copy.places.addAll(places);
            copy.messages.addAll(messages);
            acknowledged.forEach((queue, references) -> copy.acknowledged.put(queue, new TreeSet<>(references)));
            return copy;
        }

        List<PendingMessage> pending(NavigableSet<Long> named) {
            return messages.stream()
                    .map(message -> message.withTargets(message.targets().stream()
                            .filter(target -> named.contains(target.queueId()))
                            .toList()))
                    .toList();
        }

        Map<Long, NavigableSet<Long>> acknowledged(NavigableSet<Long> named) {
            Map<Long, NavigableSet<Long>> there = new TreeMap<>(acknowledged);
            there.keySet().retainAll(named);
            return there;
        }

        RecoveredTransaction retained(long id) {
            RecoveredTransaction copy = new RecoveredTransaction(id);
            for (PendingMessage message : messages) {
                if (message.retainedTopic() != null) {
                    copy.add(message.withTargets(List.of()));
                }
            }
            return copy;
        }

        RecoveredTransaction snapshot(long id) {
            RecoveredTransaction copy = new RecoveredTransaction(id);
            if (branch != null) {
                copy.prepare(branch, null);
            }
            messages.forEach(copy::add);
            acknowledged.forEach((queue, references) ->
                    references.forEach(reference -> copy.acknowledge(queue, reference, reference)));
            return copy;
        }
    }
}
