package dev.avocet.core.message;

/**
 * How a subscription wants what matches it. Immutable; one object per subscription, or one per combination where several
 * subscriptions of a client match the same topic.
 *
 * @param qos the highest level at which to deliver
 * @param retainAsPublished deliver the publisher's retain flag instead of clearing it [MQTT-3.8.3-4]
 * @param retained the message comes from the retained messages and not from a publisher just now
 * @param subscriptionIdentifiers what the client called the matching subscriptions; empty for none
 */
public record DeliveryOptions(
        QualityOfService qos, boolean retainAsPublished, boolean retained, int[] subscriptionIdentifiers) {
    /** No identifier. */
    public static final int[] NO_IDENTIFIERS = {};

    /** The same for a retained message that is replayed at subscribe time. */
    public DeliveryOptions asRetained() {
        return new DeliveryOptions(qos, retainAsPublished, true, subscriptionIdentifiers);
    }
}
