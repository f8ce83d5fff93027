package dev.avocet.core.store;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.QueueLimits;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of a stored session.
 *
 * @param key what the client calls it
 * @param group of a shared subscription; null for one of the client's own
 * @param queueId of the queue that takes its messages: its own, or the group's
 */
record RecoveredSubscription(
        String key,
        TopicFilter filter,
        @Nullable String group,
        DeliveryOptions options,
        boolean noLocal,
        long queueId,
        QueueLimits limits) {}
