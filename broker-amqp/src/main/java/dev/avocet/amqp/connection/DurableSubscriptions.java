package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.link.DurableName;
import dev.avocet.amqp.link.DurableRequest;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SessionLog;
import dev.avocet.core.session.SessionRegistry;
import dev.avocet.core.session.ShareMismatchException;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.session.Subscriptions;
import dev.avocet.core.topic.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.jspecify.annotations.Nullable;

/**
 * Durable subscriptions. Each has a session of its own, which never expires and has no connection: it keeps the queue
 * while no client is there, and over restarts. Links consume from the queue through an outpost, wherever the session
 * lives.
 *
 * <p>Owned by the connection's loop; what is the session's happens on its home.
 */
final class DurableSubscriptions {
    private final OpenConnection connection;
    private final SessionRegistry sessions;
    private final Subscriptions subscriptions;

    DurableSubscriptions(OpenConnection connection) {
        this.connection = connection;
        this.sessions = connection.broker().sessions();
        this.subscriptions = connection.broker().subscriptions();
    }

    /**
     * Opens a subscription, which is made when there is none, or another one. The answer comes on the connection's
     * loop.
     */
    void open(DurableRequest request, Consumer<TopicSubscription> then, Consumer<AmqpException> otherwise) {
        DurableSubscription handle =
                new DurableSubscription(connection, this, request.name(), request.shared() ? request.key() : null);
        if (!handle.take()) {
            otherwise.accept(request.shared() ? isOther(request.name()) : inUse(request.name()));
            return;
        }
        onHome(request.name(), true, session -> {
            if (isOfTheOtherKind(session, request)) {
                answer(
                        () -> {
                            handle.release();
                            otherwise.accept(isOther(request.name()));
                        },
                        handle);
            } else {
                subscribe(session, request, handle, then, otherwise);
            }
        });
    }

    /** Finds a subscription that is there. */
    void find(DurableName name, Consumer<DurableSubscription> then, Consumer<AmqpException> otherwise) {
        DurableSubscription handle = new DurableSubscription(connection, this, name, null);
        if (sessions.find(name.sessionId()) == null) {
            otherwise.accept(new AmqpException(AmqpError.NOT_FOUND, "there is no durable subscription '" + name + "'"));
        } else if (!handle.take()) {
            otherwise.accept(inUse(name));
        } else {
            onHome(name, false, session -> {
                Subscription present =
                        session.subscriptions().stream().findFirst().orElse(null);
                answer(
                        () -> {
                            if (present == null) {
                                handle.release();
                                otherwise.accept(new AmqpException(
                                        AmqpError.NOT_FOUND, "there is no durable subscription '" + name + "'"));
                            } else {
                                handle.begin(present);
                                then.accept(handle);
                            }
                        },
                        handle);
            });
        }
    }

    /** Ends a subscription for good. */
    void delete(DurableName name) {
        ClientSession present = sessions.find(name.sessionId());
        if (present != null) {
            present.home().execute(() -> {
                if (!present.hasEnded()) {
                    sessions.endKeeper(present);
                }
            });
        }
    }

    /** A shared and an unshared one may not have the same name [Jakarta Messaging 8.3.3, 8.3.4]. */
    private static boolean isOfTheOtherKind(ClientSession session, DurableRequest request) {
        return session.subscriptionsByKey().keySet().stream()
                .anyMatch(key -> DurableRequest.isShared(key) != request.shared());
    }

    private static AmqpException isOther(DurableName name) {
        return new AmqpException(
                AmqpError.RESOURCE_LOCKED,
                "the durable subscription '" + name
                        + "' is there with another topic or selector, or is shared where this one is not");
    }

    private static AmqpException inUse(DurableName name) {
        return new AmqpException(
                AmqpError.RESOURCE_LOCKED, "the durable subscription '" + name + "' has a consumer already");
    }

    private void subscribe(
            ClientSession session,
            DurableRequest request,
            DurableSubscription handle,
            Consumer<TopicSubscription> then,
            Consumer<AmqpException> otherwise) {
        Subscription present = session.subscription(request.key());
        Subscription found;
        try {
            found = present == null ? replace(session, request) : present;
        } catch (ShareMismatchException e) {
            sessions.endIfIdle(session);
            AmqpException problem = new AmqpException(AmqpError.RESOURCE_LOCKED, String.valueOf(e.getMessage()));
            answer(
                    () -> {
                        handle.release();
                        otherwise.accept(problem);
                    },
                    handle);
            return;
        }
        Runnable answer = () -> answer(
                () -> {
                    handle.begin(found);
                    then.accept(handle);
                },
                handle);
        SessionLog log = session.log();
        if (log == null || present != null) {
            answer.run();
        } else {
            log.afterCommit(answer);
        }
    }

    /**
     * Makes a subscription in place of another one by that name, which no consumer of JMS uses.
     *
     * @throws ShareMismatchException when MQTT clients or an administrator share that one; it stays
     */
    private Subscription replace(ClientSession session, DurableRequest request) {
        SubscriptionRequest wanted = request.request();
        String group = Objects.requireNonNull(wanted.group());
        boolean alone = subscriptions.sharers(group) <= 1;
        List<Map.Entry<String, Subscription>> others =
                List.copyOf(session.subscriptionsByKey().entrySet());
        for (Map.Entry<String, Subscription> other : others) {
            if (alone && group.equals(other.getValue().group())) {
                boolean unused = subscriptions.unsubscribe(session, other.getKey());
            }
        }
        Subscription made = subscriptions.subscribe(session, wanted).subscription();
        for (Map.Entry<String, Subscription> other : others) {
            boolean unused = subscriptions.unsubscribe(session, other.getKey());
        }
        return made;
    }

    private void answer(Runnable action, DurableSubscription handle) {
        connection.loop().execute(() -> {
            if (connection.isClosed()) {
                handle.release();
            } else {
                action.run();
            }
        });
    }

    /** Runs something with the session of a subscription, which is made when there is none. */
    private void onHome(DurableName name, boolean make, Consumer<ClientSession> action) {
        ClientSession present = sessions.find(name.sessionId());
        if (present == null && make) {
            present = keeper(name);
        }
        ClientSession session = present;
        if (session == null) {
            connection.loop().execute(() -> onHome(name, make, action)); // it has come or gone just now
            return;
        }
        session.home().execute(() -> {
            if (session.hasEnded()) {
                connection.loop().execute(() -> onHome(name, true, action));
            } else {
                action.accept(session);
            }
        });
    }

    /** A session for a subscription that is not there; null when another loop was faster. */
    private @Nullable ClientSession keeper(DurableName name) {
        try {
            return sessions.keeper(name.sessionId(), true, connection.loop());
        } catch (IllegalStateException e) {
            return null;
        }
    }
}
