package dev.avocet.amqp.link;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.session.SubscriptionRequest;
import org.jspecify.annotations.Nullable;

/**
 * A durable subscription as a client wants it. Where there is one that differs, it ends, and this one begins [Jakarta
 * Messaging 8.3.3].
 */
public record DurableRequest(
        DurableName name,
        boolean shared,
        TopicFilter filter,
        boolean noLocal,
        @Nullable Selector selector,
        QueueLimits limits) {
    private static final String SHARED = "shared ";

    /** Whether a subscription with that key is shared. */
    public static boolean isShared(String key) {
        return key.startsWith(SHARED);
    }

    /** All of it that must be the same, so that it is the same subscription after a restart too. */
    public String key() {
        return (shared ? SHARED : "own ")
                + (noLocal ? "noLocal " : "")
                + filter.text()
                + '\n'
                + (selector == null ? "" : selector.text());
    }

    public SubscriptionRequest request() {
        DeliveryOptions all =
                new DeliveryOptions(QualityOfService.EXACTLY_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);
        SubscriptionRequest everything = new SubscriptionRequest(key(), filter, name.group(shared), all, false, limits);
        return shared ? everything.selecting(selector) : everything; // all who share it choose the same messages
    }
}
