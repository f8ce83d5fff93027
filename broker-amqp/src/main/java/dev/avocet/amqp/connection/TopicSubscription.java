package dev.avocet.amqp.connection;

import dev.avocet.core.queue.SubscriptionQueue;

/** A subscription that a link consumes from. Owned by the loop of the link's connection. */
interface TopicSubscription {
    SubscriptionQueue queue();

    /** What its session calls it. */
    String key();

    /** Whether others may consume from it too. */
    boolean isShared();

    /** A link begins to consume, now that its client knows that it is attached. */
    default void onConsumer() {}

    /** The link does so no longer. */
    void end(DeliveryLink.End end);
}
