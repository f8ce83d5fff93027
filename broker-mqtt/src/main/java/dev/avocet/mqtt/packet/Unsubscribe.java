package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;

/**
 * A client ends subscriptions.
 *
 * @param packetId 1 to 65535
 * @param filters the topic filters as the client wrote them, at least one: their syntax is not checked here
 */
public record Unsubscribe(int packetId, List<String> filters, List<UserProperty> userProperties) implements Packet {
    public Unsubscribe {
        Checks.packetId(packetId);
        Checks.that(!filters.isEmpty(), "UNSUBSCRIBE needs a topic filter"); // [MQTT-3.10.3-2]
        filters = List.copyOf(filters);
        userProperties = List.copyOf(userProperties);
    }

    public Unsubscribe(int packetId, String... filters) {
        this(packetId, List.of(filters), List.of());
    }

    @Override
    public PacketType type() {
        return PacketType.UNSUBSCRIBE;
    }
}
