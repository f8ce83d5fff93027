package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SessionRegistry;
import dev.avocet.core.session.SessionWalk;
import dev.avocet.core.session.SharedSubscriptions.Shared;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.core.session.Subscriptions;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes sessions and subscriptions away that an administrator does not want any more. Any thread may ask. Where the
 * broker has a store, an answer comes when what it says is durable; once the store has failed there is none.
 */
public final class SessionAdministration {
    /** A session may move from loop to loop while it is looked for; a client that connects so often is there. */
    private static final int ATTEMPTS = 5;

    private final Broker broker;
    private final SessionRegistry sessions;
    private final Subscriptions subscriptions;

    SessionAdministration(Broker broker) {
        this.broker = broker;
        this.sessions = broker.sessions();
        this.subscriptions = broker.subscriptions();
    }

    /** What became of what was to go. */
    public enum Ending {
        /** It is gone. */
        GONE,
        /** It was not there. */
        NOT_FOUND,
        /** A client is connected that needs it, and was not to be disconnected. */
        CONNECTED,
        /** The configuration wants it. */
        ADMINISTERED
    }

    /**
     * Ends the session of a client, with its subscriptions and what waits for them. Its will, when it waits, is
     * published.
     *
     * @param disconnects closes the connection first, if there is one
     */
    public CompletableFuture<Ending> endSession(String clientId, boolean disconnects) {
        return end(clientId, disconnects, session -> {
            sessions.delete(session);
            return true;
        });
    }

    /**
     * Ends one subscription of a client, and what waits for it.
     *
     * @param key what the client calls it
     * @param disconnects closes the connection first, if there is one
     */
    public CompletableFuture<Ending> endSubscription(String clientId, String key, boolean disconnects) {
        return end(
                clientId,
                disconnects,
                session -> session.subscription(key) != null
                        && (session.hasEnded() || subscriptions.unsubscribe(session, key)));
    }

    /**
     * Ends the durable subscription that a session of the broker's own keeps for the clients which consume from it, as
     * those of JMS clients are. A subscription that other sessions share stays with those.
     *
     * @param sessionId of the session that keeps it
     * @param disconnects ends it although clients consume from it, and tells them. A subscription that others share
     *     stays while clients consume, because nothing says whose consumers they are
     */
    public CompletableFuture<Ending> endDurable(String sessionId, boolean disconnects) {
        if (SessionWalk.isBrokersOwn(sessionId)) {
            return CompletableFuture.completedFuture(Ending.NOT_FOUND);
        }
        CompletableFuture<Ending> answer = new CompletableFuture<>();
        attempt(sessionId, ATTEMPTS, answer, session -> {
            if (isUsed(session, disconnects)) {
                answer.complete(Ending.CONNECTED);
            } else {
                sessions.endKeeper(session);
                whenDurable(session.home(), () -> answer.complete(Ending.GONE));
            }
        });
        return answer;
    }

    private boolean isUsed(ClientSession keeper, boolean disconnects) {
        for (Subscription subscription : keeper.subscriptions()) {
            String group = subscription.group();
            boolean isShared = group != null && subscriptions.sharers(group) > 1;
            if (subscription.queue().statistics().consumers() > 0 && (isShared || !disconnects)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Ends a shared subscription: every member is taken from it.
     *
     * @param id as {@link Shared#id}
     * @param disconnects closes the connections of members first, if there are any
     */
    public CompletableFuture<Ending> endShared(SubscriptionId id, boolean disconnects) {
        @Nullable Shared found = subscriptions.shared().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElse(null);
        if (found == null) {
            return CompletableFuture.completedFuture(Ending.NOT_FOUND);
        }
        if (found.administered()) {
            return CompletableFuture.completedFuture(Ending.ADMINISTERED);
        }
        if (!disconnects && found.subscription().queue().statistics().consumers() > 0) {
            return CompletableFuture.completedFuture(Ending.CONNECTED);
        }
        AtomicBoolean stays = new AtomicBoolean();
        return SessionWalk.over(sessions, broker.loops(), session -> {
                    if (!takeFrom(found.group(), session, disconnects)) {
                        stays.set(true);
                    }
                })
                .thenCompose(walked -> everythingDurable())
                .thenApply(durable -> stays.get() ? Ending.CONNECTED : Ending.GONE);
    }

    /** False when the session stays a member because its client is connected. */
    private boolean takeFrom(String group, ClientSession session, boolean disconnects) {
        List<String> keys = new ArrayList<>();
        for (Map.Entry<String, Subscription> each : session.subscriptionsByKey().entrySet()) {
            if (group.equals(each.getValue().group())) {
                keys.add(each.getKey());
            }
        }
        if (!keys.isEmpty() && session.client() != null) {
            if (!disconnects) {
                return false;
            }
            sessions.disconnect(session);
        }
        if (!session.hasEnded()) {
            keys.forEach(key -> subscriptions.unsubscribe(session, key));
            sessions.endIfIdle(session);
        }
        return true;
    }

    private CompletableFuture<Ending> end(String clientId, boolean disconnects, Predicate<ClientSession> work) {
        if (clientId.startsWith(ClientSession.RESERVED_PREFIX)) {
            return CompletableFuture.completedFuture(Ending.NOT_FOUND);
        }
        CompletableFuture<Ending> answer = new CompletableFuture<>();
        attempt(clientId, ATTEMPTS, answer, session -> endHere(session, disconnects, work, answer));
        return answer;
    }

    /** @param work done on the session's home loop; completes the answer */
    private void attempt(
            String sessionId, int attempts, CompletableFuture<Ending> answer, Consumer<ClientSession> work) {
        ClientSession session = sessions.find(sessionId);
        if (session == null) {
            answer.complete(Ending.NOT_FOUND);
        } else if (attempts == 0) {
            answer.complete(Ending.CONNECTED);
        } else {
            IoLoop loop = session.home();
            loop.execute(() -> {
                if (session.home() != loop || session.hasEnded()) {
                    attempt(sessionId, attempts - 1, answer, work);
                    return;
                }
                try {
                    work.accept(session);
                } catch (RuntimeException e) {
                    answer.completeExceptionally(e);
                }
            });
        }
    }

    /** On the session's home loop. */
    private void endHere(
            ClientSession session,
            boolean disconnects,
            Predicate<ClientSession> work,
            CompletableFuture<Ending> answer) {
        if (session.client() != null) {
            if (!disconnects) {
                answer.complete(Ending.CONNECTED);
                return;
            }
            sessions.disconnect(session);
        } else if (isConsumed(session)) {
            answer.complete(Ending.CONNECTED);
            return;
        }
        Ending ending = work.test(session) ? Ending.GONE : Ending.NOT_FOUND;
        whenDurable(session.home(), () -> answer.complete(ending));
    }

    /** Whether a client takes messages through other connections than the session's, as users of JMS do. */
    private static boolean isConsumed(ClientSession session) {
        return session.subscriptions().stream()
                .anyMatch(each -> !each.isShared() && each.queue().statistics().consumers() > 0);
    }

    /**
     * Completes when everything that the loops have written so far is durable; at once where nothing is kept on disk.
     */
    public CompletableFuture<Void> everythingDurable() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (IoLoop loop : broker.loops()) {
            CompletableFuture<Void> durable = new CompletableFuture<>();
            loop.execute(() -> whenDurable(loop, () -> durable.complete(null)));
            all.add(durable);
        }
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
    }

    /** Runs an action when everything that this loop has written so far is durable. On that loop. */
    void whenDurable(IoLoop loop, Runnable action) {
        StoreWriter writer = broker.writer(loop);
        if (writer == null) {
            action.run();
        } else {
            writer.afterCommit(position -> action.run());
        }
    }
}
