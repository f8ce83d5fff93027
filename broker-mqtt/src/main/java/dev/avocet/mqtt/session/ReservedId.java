package dev.avocet.mqtt.session;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;

/**
 * A packet identifier under which an earlier life of the broker has sent a reference, or has been about to: delivered
 * again, it goes out under the same one.
 */
public record ReservedId(int packetId, QualityOfService qos, long queueId, long reference) {
    /** The options with the level at which the client may know the message. */
    public DeliveryOptions fit(DeliveryOptions options) {
        return options.qos() == qos
                ? options
                : new DeliveryOptions(
                        qos, options.retainAsPublished(), options.retained(), options.subscriptionIdentifiers());
    }
}
