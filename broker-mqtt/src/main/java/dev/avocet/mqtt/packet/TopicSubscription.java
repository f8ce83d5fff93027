package dev.avocet.mqtt.packet;

import dev.avocet.core.message.QualityOfService;
import java.util.Objects;

/**
 * One subscription of a SUBSCRIBE packet.
 *
 * @param filter the topic filter as the client wrote it: its syntax is not checked here
 * @param qos the highest level at which the client wants messages
 * @param noLocal the client does not want what it publishes itself
 * @param retainAsPublished messages keep the retain flag that they were published with
 */
public record TopicSubscription(
        String filter,
        QualityOfService qos,
        boolean noLocal,
        boolean retainAsPublished,
        RetainHandling retainHandling) {
    public TopicSubscription {
        Objects.requireNonNull(filter, "filter");
        Objects.requireNonNull(qos, "qos");
        Objects.requireNonNull(retainHandling, "retainHandling");
    }

    /** A subscription without options, as MQTT 3.1.1 has it. */
    public TopicSubscription(String filter, QualityOfService qos) {
        this(filter, qos, false, false, RetainHandling.SEND_AT_SUBSCRIBE);
    }
}
