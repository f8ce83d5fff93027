package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The four packets that carry a QoS 1 or QoS 2 delivery forward; they have the same content. */
public sealed interface Acknowledgement extends Packet permits PubAck, PubRec, PubRel, PubComp {
    /** 1 to 65535: that of the PUBLISH packet. */
    int packetId();

    /** Always {@link ReasonCode#SUCCESS} before MQTT 5. */
    ReasonCode reasonCode();

    @Nullable String reasonString();

    List<UserProperty> userProperties();

    /** An acknowledgement of the given type, which is one of PUBACK, PUBREC, PUBREL and PUBCOMP. */
    static Acknowledgement of(
            PacketType type,
            int packetId,
            ReasonCode reasonCode,
            @Nullable String reasonString,
            List<UserProperty> userProperties) {
        return switch (type) {
            case PUBACK -> new PubAck(packetId, reasonCode, reasonString, userProperties);
            case PUBREC -> new PubRec(packetId, reasonCode, reasonString, userProperties);
            case PUBREL -> new PubRel(packetId, reasonCode, reasonString, userProperties);
            case PUBCOMP -> new PubComp(packetId, reasonCode, reasonString, userProperties);
            default -> throw new IllegalArgumentException(type + " is not an acknowledgement");
        };
    }

    @Override
    default Packet withoutDiagnostics() {
        return of(type(), packetId(), reasonCode(), null, List.of());
    }
}
