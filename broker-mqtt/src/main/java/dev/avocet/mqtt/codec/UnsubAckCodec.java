package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.UnsubAck;
import java.util.ArrayList;
import java.util.List;

/** UNSUBACK; before MQTT 5 it has nothing but the packet identifier. */
final class UnsubAckCodec {
    private UnsubAckCodec() {}

    static UnsubAck decode(ProtocolVersion version, BodyReader in) throws MalformedPacketException {
        int packetId = in.readPacketId();
        if (!version.hasProperties()) {
            in.expectEnd();
            return new UnsubAck(packetId, List.of());
        }
        Diagnostics diagnostics = Diagnostics.read(in);
        if (!in.hasRemaining()) {
            throw in.protocolError("no reason code [MQTT-3.11.3-1]");
        }
        List<ReasonCode> reasonCodes = new ArrayList<>();
        while (in.hasRemaining()) {
            reasonCodes.add(in.readReasonCode()); // [MQTT-3.11.3-2]
        }
        return new UnsubAck(packetId, reasonCodes, diagnostics.reasonString(), diagnostics.userProperties());
    }

    static void encode(ProtocolVersion version, UnsubAck packet, PacketWriter out) {
        out.writeShort(packet.packetId());
        if (version.hasProperties()) {
            int properties = out.openLength();
            PropertyWriter.diagnostics(out, packet.reasonString(), packet.userProperties());
            out.closeLength(properties);
            packet.reasonCodes().forEach(reasonCode -> out.writeByte(reasonCode.number()));
        }
    }
}
