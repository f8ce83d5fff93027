package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.topic.Subscription;

/**
 * Hears of every change of a session that outlives its connection, and of its subscriptions, so that they outlive the
 * broker too. Each method is called on the session's home loop, after the change.
 */
public interface SessionStore {
    /** For a broker that keeps nothing. */
    SessionStore NONE = new NoSessionStore();

    /** A session has begun or come back, or its expiry interval or will has changed, or its client has gone away. */
    void changed(ClientSession session);

    void ended(ClientSession session);

    /**
     * A subscription was made or changed. Called before its first message; the store makes its queue durable where it
     * has to be.
     */
    void subscribed(ClientSession session, SubscriptionRequest request, Subscription subscription);

    void unsubscribed(ClientSession session, String key);

    /**
     * No session has this queue of subscriptions any more, nor will one: after {@link #unsubscribed}, or after the end
     * of the last session that shared it. The queue of a session's own subscription ends with the session unsaid.
     *
     * @param caller the loop that calls
     */
    void queueEnded(SubscriptionQueue queue, IoLoop caller);
}
