package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link Subscribe}. MQTT 3.1.1 has one word for all errors, 0x80.
 *
 * @param reasonCodes one for each topic filter, in the same order [MQTT-3.9.3-1]
 */
public record SubAck(
        int packetId,
        List<ReasonCode> reasonCodes,
        @Nullable String reasonString,
        List<UserProperty> userProperties) implements Packet {
    public SubAck {
        Checks.packetId(packetId);
        Checks.that(!reasonCodes.isEmpty(), "SUBACK needs a reason code");
        reasonCodes.forEach(reasonCode -> Checks.allowed(reasonCode, PacketType.SUBACK)); // [MQTT-3.9.3-2]
        reasonCodes = List.copyOf(reasonCodes);
        userProperties = List.copyOf(userProperties);
    }

    public SubAck(int packetId, List<ReasonCode> reasonCodes) {
        this(packetId, reasonCodes, null, List.of());
    }

    @Override
    public PacketType type() {
        return PacketType.SUBACK;
    }

    @Override
    public Packet withoutDiagnostics() {
        return new SubAck(packetId, reasonCodes);
    }
}
