package dev.avocet.server.broker.content;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.SessionAdministration.Ending;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SessionWalk;
import dev.avocet.core.session.SharedSubscriptions.Shared;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sessions and subscriptions for administrators. Waits for the event loops, so it is not for them; otherwise any
 * thread.
 */
public final class ClientAdministration {
    private static final long LONGEST_WAIT_S = 20;

    private final Broker broker;

    public ClientAdministration(Broker broker) {
        this.broker = broker;
    }

    /** The sessions that are wanted, by client identifier. */
    public void sessions(Predicate<SessionFacts> wanted, Page<SessionFacts> page) throws NotInTimeException {
        walk(session -> {
            SessionFacts facts = SessionFacts.of(session);
            if (wanted.test(facts)) {
                page.add(facts.clientId(), () -> facts);
            }
        });
    }

    /** The subscriptions that are wanted, by client identifier and name, shared ones once. */
    public void subscriptions(Predicate<SubscriptionFacts> wanted, Page<SubscriptionFacts> page)
            throws NotInTimeException {
        Consumer<SubscriptionFacts> taker = facts -> {
            if (wanted.test(facts)) {
                page.add(keyOf(facts.id()), () -> facts);
            }
        };
        broker.subscriptions().shared().stream().map(SubscriptionFacts::of).forEach(taker);
        walk(session -> {
            for (Map.Entry<String, Subscription> each :
                    session.subscriptionsByKey().entrySet()) {
                if (!each.getValue().isShared()) {
                    taker.accept(SubscriptionFacts.of(session, each.getKey(), each.getValue()));
                }
            }
        });
    }

    /**
     * The sessions that share a subscription, by client identifier; false when there is no such shared one. A durable
     * subscription of JMS clients that no client uses has no member.
     */
    public boolean members(SubscriptionId id, Page<SessionFacts> page) throws NotInTimeException {
        for (Shared shared : broker.subscriptions().shared()) {
            if (shared.id().equals(id)) {
                walk(session -> {
                    if (session.subscriptions().stream()
                            .anyMatch(each -> shared.group().equals(each.group()))) {
                        SessionFacts facts = SessionFacts.of(session);
                        page.add(facts.clientId(), () -> facts);
                    }
                });
                return true;
            }
        }
        return false;
    }

    /** The key of a subscription on a page. */
    public static String keyOf(SubscriptionId id) {
        return id.owner() + '\0' + id.name();
    }

    /** Ends the session of a client. */
    public Ending endSession(String clientId, boolean disconnects) throws NotInTimeException {
        return await(broker.administration().endSession(clientId, disconnects));
    }

    /** Ends a subscription of a client, or one that several share. */
    public Ending endSubscription(SubscriptionId id, boolean disconnects) throws NotInTimeException {
        Ending shared = await(broker.administration().endShared(id, disconnects));
        return shared == Ending.NOT_FOUND
                ? await(broker.administration().endSubscription(id.owner(), id.name(), disconnects))
                : shared;
    }

    /** The client identifiers of all sessions that are wanted, in order. Takes no time of the event loops. */
    public List<String> clientIds(Predicate<String> wanted) {
        List<String> found = new ArrayList<>();
        for (ClientSession session : broker.sessions().all()) {
            if (!session.isKeeper()
                    && !SessionWalk.isBrokersOwn(session.clientId())
                    && wanted.test(session.clientId())) {
                found.add(session.clientId());
            }
        }
        found.sort(null);
        return found;
    }

    /** Whether the client has a session at the moment. */
    public boolean isThere(String clientId) {
        ClientSession session = broker.sessions().find(clientId);
        return session != null && !session.isKeeper();
    }

    private void walk(Consumer<ClientSession> visitor) throws NotInTimeException {
        await(SessionWalk.over(broker.sessions(), List.copyOf(broker.loops()), session -> {
            if (!session.isKeeper()) {
                visitor.accept(session);
            }
        }));
    }

    static <T> T await(CompletableFuture<T> answer) throws NotInTimeException {
        try {
            return answer.orTimeout(LONGEST_WAIT_S, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new NotInTimeException(e);
        }
    }
}
