package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The receiver of a QoS 2 message has it. See {@link Acknowledgement} for the components. */
public record PubRec(
        int packetId, ReasonCode reasonCode, @Nullable String reasonString, List<UserProperty> userProperties)
        implements Acknowledgement {
    public PubRec {
        Checks.packetId(packetId);
        Checks.allowed(reasonCode, PacketType.PUBREC); // [MQTT-3.5.2-1]
        userProperties = List.copyOf(userProperties);
    }

    public PubRec(int packetId, ReasonCode reasonCode) {
        this(packetId, reasonCode, null, List.of());
    }

    public PubRec(int packetId) {
        this(packetId, ReasonCode.SUCCESS);
    }

    @Override
    public PacketType type() {
        return PacketType.PUBREC;
    }
}
