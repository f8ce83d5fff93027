package dev.avocet.mqtt.model;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.Publish;

/** A message that a session must, or may, be sent once. */
final class Expectation {
    final String topic;
    final String payload;
    final QualityOfService qos;
    final boolean retain;
    /**
     * What must stay in order with each other: publisher, topic and subscriptions are the same; empty for retained
     * messages.
     */
    final String orderKey;

    final int number;
    boolean required = true;
    /**
     * The client has changed its subscriptions since: the options of the delivery may be the old ones or the new ones.
     */
    boolean anyOptions;

    Expectation(String topic, String payload, QualityOfService qos, boolean retain, String orderKey, int number) {
        this.topic = topic;
        this.payload = payload;
        this.qos = qos;
        this.retain = retain;
        this.orderKey = orderKey;
        this.number = number;
    }

    /** How well a delivery fits: 0 for not at all. */
    int rank(Publish publish, String text) {
        if (!topic.equals(publish.topic()) || !payload.equals(text)) {
            return 0;
        }
        boolean exact = qos == publish.qos() && retain == publish.retain();
        if (!exact && !anyOptions) {
            return 0;
        }
        return (exact ? 3 : 1) + (required ? 1 : 0);
    }

    @Override
    public String toString() {
        return topic + "=" + payload + " at " + qos + (retain ? " retained" : "") + (required ? "" : " (may be lost)");
    }
}
