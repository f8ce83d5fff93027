package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import java.util.List;

/** PUBACK, PUBREC, PUBREL and PUBCOMP. */
final class AcknowledgementCodec {
    private AcknowledgementCodec() {}

    static Acknowledgement decode(ProtocolVersion version, BodyReader in) throws MalformedPacketException {
        int packetId = in.readPacketId();
        if (!version.hasProperties() || !in.hasRemaining()) {
            in.expectEnd();
            return Acknowledgement.of(in.type(), packetId, ReasonCode.SUCCESS, null, List.of());
        }
        ReasonCode reasonCode = in.readReasonCode(); // [MQTT-3.4.2-1] [MQTT-3.5.2-1] [MQTT-3.6.2-1] [MQTT-3.7.2-1]
        Diagnostics diagnostics = in.hasRemaining() ? Diagnostics.read(in) : new Diagnostics();
        in.expectEnd();
        return Acknowledgement.of(
                in.type(), packetId, reasonCode, diagnostics.reasonString(), diagnostics.userProperties());
    }

    static void encode(ProtocolVersion version, Acknowledgement packet, PacketWriter out) {
        out.writeShort(packet.packetId());
        boolean silent =
                packet.reasonString() == null && packet.userProperties().isEmpty();
        if (!version.hasProperties() || (silent && packet.reasonCode() == ReasonCode.SUCCESS)) {
            return;
        }
        out.writeByte(packet.reasonCode().number());
        if (!silent) {
            int properties = out.openLength();
            PropertyWriter.diagnostics(out, packet.reasonString(), packet.userProperties());
            out.closeLength(properties);
        }
    }

    /** Writes a whole packet without diagnostics. */
    static int encode(ProtocolVersion version, PacketType type, int packetId, ReasonCode reasonCode, PacketWriter out) {
        boolean reasoned = version.hasProperties() && reasonCode != ReasonCode.SUCCESS;
        int body = reasoned ? 3 : 2;
        out.ensure(2 + body);
        out.writeByte(FixedHeader.of(type));
        out.writeByte(body);
        out.writeShort(packetId);
        if (reasoned) {
            out.writeByte(reasonCode.number());
        }
        return 2 + body;
    }
}
