package dev.avocet.mqtt.packet;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import java.util.Objects;

/**
 * What the server publishes for a client that goes away without a word.
 *
 * @param topic a topic name
 * @param delayIntervalSeconds how long the server waits before it publishes, 0 to 4294967295; 0 before MQTT 5
 * @param messageExpiryIntervalSeconds 0 to 4294967295, counted from the publication; {@link Publish#NO_EXPIRY} for none
 */
public record ConnectWill(
        String topic,
        byte[] payload,
        QualityOfService qos,
        boolean retain,
        long delayIntervalSeconds,
        long messageExpiryIntervalSeconds,
        MessageProperties properties) {
    public ConnectWill {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(qos, "qos");
        Objects.requireNonNull(properties, "properties");
        Checks.range("will delay interval", delayIntervalSeconds, 0, Checks.MAX_UNSIGNED_INT);
        Checks.range(
                "message expiry interval", messageExpiryIntervalSeconds, Publish.NO_EXPIRY, Checks.MAX_UNSIGNED_INT);
        Checks.that(payload.length <= 0xFFFF, "a will payload is at most 65535 bytes long");
    }

    /** A will without properties. */
    public ConnectWill(String topic, byte[] payload, QualityOfService qos, boolean retain) {
        this(topic, payload, qos, retain, 0, Publish.NO_EXPIRY, MessageProperties.NONE);
    }

    public ConnectWill withDelayIntervalSeconds(long delaySeconds) {
        return new ConnectWill(topic, payload, qos, retain, delaySeconds, messageExpiryIntervalSeconds, properties);
    }

    public ConnectWill withMessageExpiryIntervalSeconds(long expirySeconds) {
        return new ConnectWill(topic, payload, qos, retain, delayIntervalSeconds, expirySeconds, properties);
    }

    public ConnectWill withProperties(MessageProperties newProperties) {
        return new ConnectWill(
                topic, payload, qos, retain, delayIntervalSeconds, messageExpiryIntervalSeconds, newProperties);
    }
}
