package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends a QoS 2 delivery. See {@link Acknowledgement} for the components. */
public record PubComp(
        int packetId, ReasonCode reasonCode, @Nullable String reasonString, List<UserProperty> userProperties)
        implements Acknowledgement {
    public PubComp {
        Checks.packetId(packetId);
        Checks.allowed(reasonCode, PacketType.PUBCOMP); // [MQTT-3.7.2-1]
        userProperties = List.copyOf(userProperties);
    }

    public PubComp(int packetId, ReasonCode reasonCode) {
        this(packetId, reasonCode, null, List.of());
    }

    public PubComp(int packetId) {
        this(packetId, ReasonCode.SUCCESS);
    }

    @Override
    public PacketType type() {
        return PacketType.PUBCOMP;
    }
}
