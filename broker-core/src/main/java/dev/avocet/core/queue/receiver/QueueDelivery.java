package dev.avocet.core.queue.receiver;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;

/**
 * A message that a queue has handed to one receiver. Immutable.
 *
 * @param message with {@link Message#body} bit for bit as it was sent
 * @param reference identifies it in the queue, however often it is delivered and the broker restarts; what a
 *     {@link dev.avocet.core.transaction.Transaction} wants to know
 * @param standing how urgent it is, how many deliveries have failed before this one, and whether it is a dead letter
 * @param redelivered true when a receiver may have seen it before
 */
public record QueueDelivery(Message message, long reference, Standing standing, boolean redelivered) {
    /** Deliveries that have failed before this one: AMQP's delivery-count; {@code JMSXDeliveryCount} is one more. */
    public int deliveryCount() {
        return standing.deliveryCount();
    }

    /** 0 to 9. */
    public int priority() {
        return standing.priority();
    }
}
