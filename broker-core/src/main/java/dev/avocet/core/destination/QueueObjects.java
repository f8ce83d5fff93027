package dev.avocet.core.destination;

import dev.avocet.core.config.object.Queue;
import dev.avocet.core.config.value.NumberValue;
import dev.avocet.core.queue.FullBehavior;
import dev.avocet.core.queue.QueueLimits;
import dev.avocet.core.queue.QueueSettings;

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
        return new QueueSettings(queue.concurrentConsumers(), 0, null, null, 0, 1, 0, null);
    }
}
