package dev.avocet.mqtt.packet;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import java.util.List;
import java.util.Objects;

/**
 * A message on its way. Convenient and for tests: a broker's hot path reads and writes PUBLISH packets without this
 * record.
 *
 * @param dup a repeated delivery of a QoS 1 or QoS 2 message
 * @param topic the topic name; empty only with a topic alias
 * @param packetId 1 to 65535, or 0 at QoS 0
 * @param topicAlias 1 to 65535, or {@link #NO_ALIAS}
 * @param messageExpiryIntervalSeconds 0 to 4294967295, or {@link #NO_EXPIRY}
 * @param subscriptionIdentifiers only servers send them [MQTT-3.3.4-6]
 */
public record Publish(
        boolean dup,
        QualityOfService qos,
        boolean retain,
        String topic,
        int packetId,
        int topicAlias,
        long messageExpiryIntervalSeconds,
        MessageProperties properties,
        List<Integer> subscriptionIdentifiers,
        byte[] payload)
        implements Packet {
    /** There is no topic alias. */
    public static final int NO_ALIAS = 0;

    /** The message does not expire. */
    public static final long NO_EXPIRY = -1;

    public Publish {
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(properties, "properties");
        boolean atMostOnce = qos == QualityOfService.AT_MOST_ONCE;
        Checks.that(!dup || !atMostOnce, "DUP must not be set at QoS 0"); // [MQTT-3.3.1-2]
        Checks.range("packet identifier", packetId, atMostOnce ? 0 : 1, atMostOnce ? 0 : 0xFFFF); // [MQTT-2.2.1-2]
        Checks.range("topic alias", topicAlias, NO_ALIAS, 0xFFFF);
        Checks.that(!topic.isEmpty() || topicAlias != NO_ALIAS, "PUBLISH needs a topic name or a topic alias");
        Checks.range("message expiry interval", messageExpiryIntervalSeconds, NO_EXPIRY, Checks.MAX_UNSIGNED_INT);
        subscriptionIdentifiers = List.copyOf(subscriptionIdentifiers);
        for (int identifier : subscriptionIdentifiers) {
            Checks.range("subscription identifier", identifier, 1, Subscribe.MAX_IDENTIFIER);
        }
    }

    /** A first delivery without anything optional; the packet identifier is 0 at QoS 0. */
    public Publish(String topic, QualityOfService qos, boolean retain, int packetId, byte[] payload) {
        this(false, qos, retain, topic, packetId, NO_ALIAS, NO_EXPIRY, MessageProperties.NONE, List.of(), payload);
    }

    @Override
    public PacketType type() {
        return PacketType.PUBLISH;
    }
}
