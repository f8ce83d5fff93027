package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ShareMismatchException;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.topic.Subscription;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.jspecify.annotations.Nullable;

/** A subscription that lives as long as its link, or as the last link that shares it. */
final class NonDurableSubscription implements TopicSubscription {
    private final OpenConnection connection;
    private final ClientSession session;
    private final Subscription subscription;
    private final String key;
    private final boolean shared;

    private NonDurableSubscription(
            OpenConnection connection, ClientSession session, Subscription subscription, String key, boolean shared) {
        this.connection = connection;
        this.session = session;
        this.subscription = subscription;
        this.key = key;
        this.shared = shared;
    }

    /**
     * Begins to share one, or makes it.
     *
     * @param group the same for all links that share it, and no other link's
     * @throws AmqpException when others share one of that name with another topic or selector [Jakarta Messaging 8.3.2]
     */
    static NonDurableSubscription share(
            OpenConnection connection,
            String group,
            TopicFilter filter,
            @Nullable Selector selector,
            QueueLimits limits)
            throws AmqpException {
        try {
            return open(connection, group, filter, selector, true, limits);
        } catch (ShareMismatchException e) {
            throw new AmqpException(AmqpError.RESOURCE_LOCKED, String.valueOf(e.getMessage()));
        }
    }

    /** Makes one for one link. */
    static NonDurableSubscription open(
            OpenConnection connection, String group, TopicFilter filter, QueueLimits limits) {
        return open(connection, group, filter, null, false, limits);
    }

    private static NonDurableSubscription open(
            OpenConnection connection,
            String group,
            TopicFilter filter,
            @Nullable Selector selector,
            boolean shared,
            QueueLimits limits) {
        String key = "link " + connection.context().containers().nextNumber();
        DeliveryOptions all =
                new DeliveryOptions(QualityOfService.EXACTLY_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);
        ClientSession session = connection.session();
        Subscription made = connection
                .broker()
                .subscriptions()
                .subscribe(session, new SubscriptionRequest(key, filter, group, all, false, limits).selecting(selector))
                .subscription();
        return new NonDurableSubscription(connection, session, made, key, shared);
    }

    @Override
    public SubscriptionQueue queue() {
        return subscription.queue();
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    @Override
    public void onConsumer() {
        if (!shared) {
            connection.broker().replayRetained(subscription, connection.loop());
        }
    }

    @Override
    public void end(DeliveryLink.End end) {
        if (!session.hasEnded()) {
            boolean unused = connection.broker().subscriptions().unsubscribe(session, key);
        }
    }
}
