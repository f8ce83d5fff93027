package dev.avocet.core.queue.transit;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits with delivery options of its own, or with a reference in the store. Most wait without, so a ring
 * holds either this or the message itself. Immutable.
 */
public record RoutedMessage(Message message, @Nullable DeliveryOptions options, long reference) {
    /** The smallest entry for a ring that says all this. */
    public static Object entry(Message message, @Nullable DeliveryOptions options, long reference) {
        return options == null && reference == DeliverySource.NOT_STORED
                ? message
                : new RoutedMessage(message, options, reference);
    }

    /** What waits. */
    public static Message messageOf(Object entry) {
        return entry instanceof RoutedMessage routed ? routed.message() : (Message) entry;
    }

    /** {@link DeliverySource#NOT_STORED} when nothing of it is on disk. */
    public static long referenceOf(Object entry) {
        return entry instanceof RoutedMessage routed ? routed.reference() : DeliverySource.NOT_STORED;
    }

    /** How to deliver it; null for the consumer's own way. */
    public static @Nullable DeliveryOptions optionsOf(Object entry) {
        return entry instanceof RoutedMessage routed ? routed.options() : null;
    }

    /** As it is given back. */
    public static Unsettled unsettledOf(Object entry) {
        int deliveryCount = DeliveryOptions.standingOf(optionsOf(entry)).deliveryCount();
        return new Unsettled(messageOf(entry), referenceOf(entry), deliveryCount);
    }
}
