package dev.avocet.server.broker;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.SessionAdministration.Ending;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SessionWalk;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
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

    ClientSets(Broker broker, ClientAdministration clients, RetainedMessageAdministration retained) {
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
        Map<String, String> owners = new ConcurrentHashMap<>();
        SessionWalk.over(broker.sessions(), broker.loops(), session -> noteOwner(session, owners))
                .join();
        owners.forEach((sessionId, owner) -> {
            if (clientId.test(owner)) {
                found.add(sessionId);
            }
        });
        found.sort(null);
        return found;
    }

    private static void noteOwner(ClientSession session, Map<String, String> owners) {
        if (session.isKeeper()) {
            session.subscriptions().stream()
                    .filter(Subscription::isShared)
                    .findFirst()
                    .ifPresent(each -> owners.put(
                            session.clientId(),
                            ShareNames.idOf(Objects.requireNonNull(each.group()))
                                    .owner()));
        }
    }

    /**
     * What was deleted.
     *
     * @param sessions that are gone, with their subscriptions and what waited for those
     * @param connected clients that stay as they are connected
     * @param retained messages that are gone
     * @param complete false when it was told to stop before the end
     */
    public record Deleted(long sessions, List<String> connected, long retained, boolean complete) {}

    /**
     * Deletes sessions and retained messages.
     *
     * @param clientId which clients
     * @param topic topics of which retained messages
     * @param disconnects whether clients that are connected are disconnected first; else they stay
     * @param goesOn asked between parts of the work, which ends when the answer is false
     */
    public Deleted delete(
            Predicate<String> clientId, Predicate<String> topic, boolean disconnects, BooleanSupplier goesOn)
            throws NotInTimeException {
        List<String> names = clients.clientIds(clientId);
        List<String> connected = new ArrayList<>();
        long gone = 0;
        for (int from = 0; from < names.size(); from += ENDED_TOGETHER) {
            if (!goesOn.getAsBoolean()) {
                return new Deleted(gone, connected, 0, false);
            }
            List<String> part = names.subList(from, Math.min(names.size(), from + ENDED_TOGETHER));
            List<CompletableFuture<Ending>> endings = part.stream()
                    .map(name -> broker.administration().endSession(name, disconnects))
                    .toList();
            for (int i = 0; i < part.size(); i++) {
                Ending ending = ClientAdministration.await(endings.get(i));
                if (ending == Ending.GONE) {
                    gone++;
                } else if (ending == Ending.CONNECTED) {
                    connected.add(part.get(i));
                }
            }
        }
        return goesOn.getAsBoolean()
                ? new Deleted(gone, connected, retained.delete(topic), true)
                : new Deleted(gone, connected, 0, false);
    }
}
