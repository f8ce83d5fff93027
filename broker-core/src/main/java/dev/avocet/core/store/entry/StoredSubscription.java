package dev.avocet.core.store.entry;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.topic.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of a stored session.
 *
 * @param key what the client calls it
 * @param group of a shared subscription; null for one of the client's own
 * @param queueId of the queue that takes its messages: its own, or the group's
 */
public record StoredSubscription(
        String key,
        TopicFilter filter,
        @Nullable String group,
        DeliveryOptions options,
        boolean noLocal,
        long queueId,
        QueueLimits limits,
        QualityOfServiceFilter takes,
        @Nullable Selector selector) {
    /** For messages whatever their properties are. */
    StoredSubscription(
            String key,
            TopicFilter filter,
            @Nullable String group,
            DeliveryOptions options,
            boolean noLocal,
            long queueId,
            QueueLimits limits,
            QualityOfServiceFilter takes) {
        this(key, filter, group, options, noLocal, queueId, limits, takes, null);
    }

    /** The same shared under another name. */
    public StoredSubscription named(String otherGroup) {
        return new StoredSubscription(key, filter, otherGroup, options, noLocal, queueId, limits, takes, selector);
    }

    /** The same for messages that a selector matches. */
    public StoredSubscription selecting(Selector some) {
        return new StoredSubscription(key, filter, group, options, noLocal, queueId, limits, takes, some);
    }

    /** The same with another queue. */
    public StoredSubscription in(long otherQueueId, QueueLimits its) {
        return new StoredSubscription(key, filter, group, options, noLocal, otherQueueId, its, takes, selector);
    }

    /** As the subscription is now. */
    public static StoredSubscription of(String key, Subscription subscription) {
        MessageQueue queue = subscription.queue();
        return new StoredSubscription(
                key,
                subscription.filter(),
                subscription.group(),
                subscription.options(),
                subscription.noLocal(),
                queue.durableId(),
                queue.limits(),
                subscription.takes(),
                subscription.selector());
    }
}
