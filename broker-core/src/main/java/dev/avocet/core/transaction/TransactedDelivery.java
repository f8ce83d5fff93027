package dev.avocet.core.transaction;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.transit.DeliverySource;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that a transaction has acknowledged: in flight until the transaction ends.
 *
 * @param message null when the delivery was made in an earlier life of the broker
 * @param reference as it came with the delivery
 * @param deliveryCount as of {@link dev.avocet.core.queue.transit.Unsettled#deliveryCount}, should it come again
 */
public record TransactedDelivery(
        MessageQueue queue, @Nullable Message message, long reference, int deliveryCount) {
    /** True when the store has the message, and is told of the acknowledgement. */
    public boolean isStored() {
        return reference > DeliverySource.NOT_STORED;
    }
}
