package dev.avocet.server.broker.content;

import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.room.QueueStatistics;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SharedSubscriptions.Shared;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.core.topic.Subscription;

/**
 * A subscription, for administrators.
 *
 * @param id what it is called
 * @param topicFilter the plain filter
 * @param shared whether its messages are divided among its members
 * @param durable whether it outlives the broker
 * @param administered whether an administrator made it
 * @param qos 0 to 2
 * @param members sessions that belong to it; 1 for one that is not shared
 * @param policy under which it was made; empty where there is none
 * @param figures what happened at its queue
 */
public record SubscriptionFacts(
        SubscriptionId id,
        String topicFilter,
        boolean shared,
        boolean durable,
        boolean administered,
        int qos,
        int members,
        int maxMessages,
        String policy,
        QueueStatistics figures) {
    /** On the session's home loop. */
    static SubscriptionFacts of(ClientSession session, String name, Subscription subscription) {
        MessageQueue queue = subscription.queue();
        return new SubscriptionFacts(
                new SubscriptionId(session.clientId(), name),
                subscription.filter().text(),
                false,
                queue.durableId() != DeliverySource.NOT_STORED,
                false,
                subscription.options().qos().level(),
                1,
                queue.limits().maxMessages(),
                policyOf(queue),
                queue.statistics());
    }

    static SubscriptionFacts of(Shared shared) {
        MessageQueue queue = shared.subscription().queue();
        return new SubscriptionFacts(
                shared.id(),
                shared.subscription().filter().text(),
                shared.isShared(),
                queue.durableId() != DeliverySource.NOT_STORED,
                shared.administered(),
                shared.subscription().options().qos().level(),
                shared.members(),
                queue.limits().maxMessages(),
                policyOf(queue),
                queue.statistics());
    }

    private static String policyOf(MessageQueue queue) {
        ObjectKey policy = queue.limits().policy();
        return policy == null ? "" : policy.name();
    }
}
