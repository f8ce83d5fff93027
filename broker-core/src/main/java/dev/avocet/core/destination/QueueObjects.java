package dev.avocet.core.destination;

import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.config.value.NumberValue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import org.jspecify.annotations.Nullable;

/** What a queue of the configuration means. */
final class QueueObjects {
    private QueueObjects() {}

    static QueueLimits limits(Queue queue, QueueLimits ordinary) {
        return new QueueLimits(
                queue.maxMessages(),
                queue.maxBytes() == NumberValue.UNLIMITED ? 0 : queue.maxBytes(),
                ordinary.maxStoredBytes(),
                FullBehavior.REJECT_NEW_MESSAGES);
    }

    static QueueSettings settings(Queue queue) {
        return new QueueSettings(
                queue.concurrentConsumers(),
                queue.maxDeliveries() == NumberValue.UNLIMITED ? 0 : (int) queue.maxDeliveries(),
                named(queue.deadLetterQueue()),
                named(queue.expiryQueue()),
                queue.redeliveryDelayMs(),
                queue.redeliveryBackoff(),
                queue.maxRedeliveryDelayMs(),
                named(queue.lastValueProperty()));
    }

    private static @Nullable String named(String text) {
        return text.isEmpty() ? null : text;
    }
}
