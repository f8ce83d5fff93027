package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends a QoS 1 delivery. See {@link Acknowledgement} for the components. */
public record PubAck(
        int packetId, ReasonCode reasonCode, @Nullable String reasonString, List<UserProperty> userProperties)
        implements Acknowledgement {
    public PubAck {
        Checks.packetId(packetId);
        Checks.allowed(reasonCode, PacketType.PUBACK); // [MQTT-3.4.2-1]
        userProperties = List.copyOf(userProperties);
    }

    public PubAck(int packetId, ReasonCode reasonCode) {
        this(packetId, reasonCode, null, List.of());
    }

    public PubAck(int packetId) {
        this(packetId, ReasonCode.SUCCESS);
    }

    @Override
    public PacketType type() {
        return PacketType.PUBACK;
    }
}
