package dev.avocet.core.queue.transit;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * A message that a consumer had in flight and gives up.
 *
 * @param reference as it came with the delivery
 * @param deliveryCount deliveries of it that have begun and failed, with this one if it has; {@link #AS_BEFORE} where
 *     the consumer does not count them
 */
public record Unsettled(Message message, long reference, int deliveryCount) {
    /** The queue knows the count. */
    public static final int AS_BEFORE = -1;

    /** A message that the consumer has not had, as far as the queue is concerned. */
    public Unsettled(Message message, long reference) {
        this(message, reference, AS_BEFORE);
    }

    /** The same for a client that may have had it, and does not say. */
    public Unsettled maybeSeen() {
        return deliveryCount == 0 ? failed() : this;
    }

    /** The same after this delivery has failed. */
    public Unsettled failed() {
        return new Unsettled(message, reference, deliveryCount + 1);
    }

    /** How it is delivered again, other than the count as before. */
    public @Nullable DeliveryOptions options(@Nullable DeliveryOptions before) {
        return deliveryCount == AS_BEFORE ? before : DeliveryOptions.delivered(before, deliveryCount);
    }
}
