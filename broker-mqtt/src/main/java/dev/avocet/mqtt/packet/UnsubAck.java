package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link Unsubscribe}.
 *
 * @param reasonCodes one for each topic filter, in the same order [MQTT-3.11.3-1]; never on the wire before MQTT 5,
 *     thus empty there when read
 */
public record UnsubAck(
        int packetId,
        List<ReasonCode> reasonCodes,
        @Nullable String reasonString,
        List<UserProperty> userProperties) implements Packet {
    public UnsubAck {
        Checks.packetId(packetId);
        reasonCodes.forEach(reasonCode -> Checks.allowed(reasonCode, PacketType.UNSUBACK)); // [MQTT-3.11.3-2]
        reasonCodes = List.copyOf(reasonCodes);
        userProperties = List.copyOf(userProperties);
    }

    public UnsubAck(int packetId, List<ReasonCode> reasonCodes) {
        this(packetId, reasonCodes, null, List.of());
    }

    @Override
    public PacketType type() {
        return PacketType.UNSUBACK;
    }

    @Override
    public Packet withoutDiagnostics() {
        return new UnsubAck(packetId, reasonCodes);
    }
}
