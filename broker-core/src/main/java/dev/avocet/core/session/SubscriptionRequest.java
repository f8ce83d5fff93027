package dev.avocet.core.session;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for when it subscribes.
 *
 * @param key what the client calls the subscription: the filter as it wrote it, prefixes included; unique within its
 *     session
 * @param filter the plain filter
 * @param group names the shared subscription to join, the same for all its members; null for a subscription of the
 *     client's own
 * @param takes which messages, by the quality of service with which they were published
 * @param selector which messages, by their properties; null for all
 */
public record SubscriptionRequest(
        String key,
        TopicFilter filter,
        @Nullable String group,
        DeliveryOptions options,
        boolean noLocal,
        QueueLimits limits,
        QualityOfServiceFilter takes,
        @Nullable Selector selector) {
    /** For messages whatever their properties are. */
    public SubscriptionRequest(
            String key,
            TopicFilter filter,
            @Nullable String group,
            DeliveryOptions options,
            boolean noLocal,
            QueueLimits limits,
            QualityOfServiceFilter takes) {
        this(key, filter, group, options, noLocal, limits, takes, null);
    }

    /** The same for messages that a selector matches; all if it is null. */
    public SubscriptionRequest selecting(@Nullable Selector some) {
        return new SubscriptionRequest(key, filter, group, options, noLocal, limits, takes, some);
    }

    /** For all messages. */
    public SubscriptionRequest(
            String key,
            TopicFilter filter,
            @Nullable String group,
            DeliveryOptions options,
            boolean noLocal,
            QueueLimits limits) {
        this(key, filter, group, options, noLocal, limits, QualityOfServiceFilter.NONE);
    }
}
