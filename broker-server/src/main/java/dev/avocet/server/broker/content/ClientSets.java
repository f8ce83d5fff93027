package dev.avocet.server.broker.content;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.SessionAdministration.Ending;
import dev.avocet.core.session.SessionWalk;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Sets of clients, with what they left behind, for administrators. Waits for the event loops, so it is not for them;
 * otherwise any thread.
 */
public final class ClientSets {
    /** Sessions that end at the same time. */
    private static final int ENDED_TOGETHER = 100;

    private final Broker broker;
    private final ClientAdministration clients;
    private final RetainedMessageAdministration retained;

    public ClientSets(Broker broker, ClientAdministration clients, RetainedMessageAdministration retained) {
        this.broker = broker;
        this.clients = clients;
        this.retained = retained;
    }

    /**
     * The sessions of clients, as the core calls them, in order. The durable subscriptions of a JMS client belong to
     * the client identifier under which they are listed.
     */
    public List<String> sessionIds(Predicate<String> clientId) {
        List<String> found = new ArrayList<>(clients.clientIds(clientId));
        found.addAll(ofOwners(clientId, durables().join()));
        found.sort(null);
        return found;
    }

    /** The durable subscriptions of JMS clients by the sessions that keep them. */
    private CompletableFuture<Map<String, SubscriptionId>> durables() {
        Map<String, SubscriptionId> found = new ConcurrentHashMap<>();
        return SessionWalk.over(broker.sessions(), broker.loops(), session -> {
                    if (session.isKeeper()) {
                        session.subscriptions().stream()
                                .map(Subscription::group)
                                .filter(Objects::nonNull)
                                .findFirst()
                                .ifPresent(group -> found.put(session.clientId(), ShareNames.idOf(group)));
                    }
                })
                .thenApply(walked -> found);
    }

    /** Not for event loops, as an administrator's expression may take long. */
    private static List<String> ofOwners(Predicate<String> clientId, Map<String, SubscriptionId> durables) {
        return durables.keySet().stream()
                .filter(id ->
                        clientId.test(Objects.requireNonNull(durables.get(id)).owner()))
                .sorted()
                .toList();
    }

    /**
     * What was deleted.
     *
     * @param sessions that are gone, with their subscriptions and what waited for those
     * @param durables subscriptions of JMS clients that are gone, with what waited for them
     * @param connected clients that stay as they are connected
     * @param consumed durable subscriptions of JMS clients that stay as clients consume from them
     * @param retained messages that are gone
     * @param complete false when it was told to stop before the end
     */
    public record Deleted(
            long sessions,
            long durables,
            List<String> connected,
            List<SubscriptionId> consumed,
            long retained,
            boolean complete) {}

    /**
     * Deletes sessions, durable subscriptions of JMS clients and retained messages.
     *
     * @param clientId which clients, as {@link #sessionIds} takes it
     * @param topic topics of which retained messages
     * @param disconnects whether clients that are connected are disconnected first; else they stay
     * @param goesOn asked between parts of the work, which ends when the answer is false
     */
    public Deleted delete(
            Predicate<String> clientId, Predicate<String> topic, boolean disconnects, BooleanSupplier goesOn)
            throws NotInTimeException {
        Part sessions =
                end(clients.clientIds(clientId), name -> broker.administration().endSession(name, disconnects), goesOn);
        Map<String, SubscriptionId> kept = sessions.complete() ? ClientAdministration.await(durables()) : Map.of();
        Part durables =
                end(ofOwners(clientId, kept), id -> broker.administration().endDurable(id, disconnects), goesOn);
        List<SubscriptionId> consumed = durables.staying().stream()
                .map(id -> Objects.requireNonNull(kept.get(id)))
                .toList();
        boolean retains = sessions.complete() && durables.complete() && goesOn.getAsBoolean();
        return new Deleted(
                sessions.gone(),
                durables.gone(),
                sessions.staying(),
                consumed,
                retains ? retained.delete(topic) : 0,
                retains);
    }

    private static Part end(List<String> names, Function<String, CompletableFuture<Ending>> how, BooleanSupplier goesOn)
            throws NotInTimeException {
        List<String> staying = new ArrayList<>();
        long gone = 0;
        for (int from = 0; from < names.size(); from += ENDED_TOGETHER) {
            if (!goesOn.getAsBoolean()) {
                return new Part(gone, staying, false);
            }
            List<String> some = names.subList(from, Math.min(names.size(), from + ENDED_TOGETHER));
            List<CompletableFuture<Ending>> endings = some.stream().map(how).toList();
            for (int i = 0; i < some.size(); i++) {
                Ending ending = ClientAdministration.await(endings.get(i));
                if (ending == Ending.GONE) {
                    gone++;
                } else if (ending == Ending.CONNECTED) {
                    staying.add(some.get(i));
                }
            }
        }
        return new Part(gone, staying, true);
    }

    /** Of one kind of what is to end: how many are gone, which stay as clients use them, and whether that is all. */
    private record Part(long gone, List<String> staying, boolean complete) {}
}
