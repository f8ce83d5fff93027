package dev.avocet.mqtt.codec;

import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Unsubscribe;
import java.util.ArrayList;
import java.util.List;

/** UNSUBSCRIBE. */
final class UnsubscribeCodec {
    private UnsubscribeCodec() {}

    static Unsubscribe decode(ProtocolVersion version, BodyReader in) throws MalformedPacketException {
        int packetId = in.readPacketId();
        List<UserProperty> userProperties =
                version.hasProperties() ? Diagnostics.read(in).userProperties() : List.of();
        if (!in.hasRemaining()) {
            throw in.protocolError("no topic filter [MQTT-3.10.3-2]");
        }
        List<String> filters = new ArrayList<>();
        while (in.hasRemaining()) {
            filters.add(in.readFilter(version)); // [MQTT-3.10.3-1]
        }
        return new Unsubscribe(packetId, filters, userProperties);
    }

    static void encode(ProtocolVersion version, Unsubscribe packet, PacketWriter out) {
        out.writeShort(packet.packetId());
        if (version.hasProperties()) {
            int properties = out.openLength();
            PropertyWriter.userProperties(out, packet.userProperties());
            out.closeLength(properties);
        }
        packet.filters().forEach(out::writeUtf8);
    }
}
