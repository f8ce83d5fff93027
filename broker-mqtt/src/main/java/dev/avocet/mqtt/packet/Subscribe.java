package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;

/**
 * A client subscribes.
 *
 * @param packetId 1 to 65535
 * @param subscriptionIdentifier 1 to 268435455, or {@link #NO_IDENTIFIER}
 * @param subscriptions at least one
 */
public record Subscribe(
        int packetId,
        int subscriptionIdentifier,
        List<TopicSubscription> subscriptions,
        List<UserProperty> userProperties)
        implements Packet {
    /** The client gave none. */
    public static final int NO_IDENTIFIER = 0;

    /** The greatest subscription identifier. */
    public static final int MAX_IDENTIFIER = 268_435_455;

    public Subscribe {
        Checks.packetId(packetId);
        Checks.range("subscription identifier", subscriptionIdentifier, NO_IDENTIFIER, MAX_IDENTIFIER);
        Checks.that(!subscriptions.isEmpty(), "SUBSCRIBE needs a topic filter"); // [MQTT-3.8.3-2]
        subscriptions = List.copyOf(subscriptions);
        userProperties = List.copyOf(userProperties);
    }

    public Subscribe(int packetId, TopicSubscription... subscriptions) {
        this(packetId, NO_IDENTIFIER, List.of(subscriptions), List.of());
    }

    @Override
    public PacketType type() {
        return PacketType.SUBSCRIBE;
    }
}
