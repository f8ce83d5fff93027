package dev.avocet.core.transaction;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.transit.DeliverySource;
import org.jspecify.annotations.Nullable;

/**
 * One queue for a message of a transaction.
 *
 * @param reference its number in a durable queue; {@link DeliverySource#NOT_STORED} in another one, or
 *     {@link #MAY_MISS}
 */
public record TransactedTarget(
        MessageQueue queue, long reference, @Nullable DeliveryOptions options) {
    /** In place of a reference: the queue may go without the message, and no room was taken for it. */
    public static final long MAY_MISS = -1;

    public boolean mustTake() {
        return reference != MAY_MISS;
    }

    public boolean isStored() {
        return reference > DeliverySource.NOT_STORED;
    }
}
