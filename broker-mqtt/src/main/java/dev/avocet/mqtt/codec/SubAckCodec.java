package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import java.util.ArrayList;
import java.util.List;

/** SUBACK. */
final class SubAckCodec {
    private SubAckCodec() {}

    static SubAck decode(ProtocolVersion version, BodyReader in) throws MalformedPacketException {
        int packetId = in.readPacketId();
        Diagnostics diagnostics = version.hasProperties() ? Diagnostics.read(in) : new Diagnostics();
        if (!in.hasRemaining()) {
            throw in.protocolError("no reason code [MQTT-3.9.3-1]");
        }
        List<ReasonCode> reasonCodes = new ArrayList<>();
        while (in.hasRemaining()) {
            reasonCodes.add(readReasonCode(version, in));
        }
        return new SubAck(packetId, reasonCodes, diagnostics.reasonString(), diagnostics.userProperties());
    }

    private static ReasonCode readReasonCode(ProtocolVersion version, BodyReader in) throws MalformedPacketException {
        ReasonCode reasonCode = in.readReasonCode(); // [MQTT-3.9.3-2]
        if (number(version, reasonCode) != reasonCode.number()) {
            throw in.protocolError(reasonCode + " is not a return code before MQTT 5");
        }
        return reasonCode;
    }

    static void encode(ProtocolVersion version, SubAck packet, PacketWriter out) {
        out.writeShort(packet.packetId());
        if (version.hasProperties()) {
            int properties = out.openLength();
            PropertyWriter.diagnostics(out, packet.reasonString(), packet.userProperties());
            out.closeLength(properties);
        }
        for (ReasonCode reasonCode : packet.reasonCodes()) {
            out.writeByte(number(version, reasonCode));
        }
    }

    /** Before MQTT 5 there is one code for all errors; MQTT 3.1 has none, but its clients know no better one either. */
    private static int number(ProtocolVersion version, ReasonCode reasonCode) {
        return switch (version) {
            case V5 -> reasonCode.number();
            case V3_1, V3_1_1 -> (reasonCode.isError() ? ReasonCode.UNSPECIFIED_ERROR : reasonCode).number();
        };
    }
}
