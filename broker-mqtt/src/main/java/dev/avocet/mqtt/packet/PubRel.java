package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sender of a QoS 2 message will not repeat it. See {@link Acknowledgement} for the components. */
public record PubRel(
        int packetId, ReasonCode reasonCode, @Nullable String reasonString, List<UserProperty> userProperties)
        implements Acknowledgement {
    public PubRel {
        Checks.packetId(packetId);
        Checks.allowed(reasonCode, PacketType.PUBREL); // [MQTT-3.6.2-1]
        userProperties = List.copyOf(userProperties);
    }

    public PubRel(int packetId, ReasonCode reasonCode) {
        this(packetId, reasonCode, null, List.of());
    }

    public PubRel(int packetId) {
        this(packetId, ReasonCode.SUCCESS);
    }

    @Override
    public PacketType type() {
        return PacketType.PUBREL;
    }
}
