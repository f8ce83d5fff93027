package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.Property;
import dev.avocet.mqtt.codec.field.PropertyReader;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import org.jspecify.annotations.Nullable;

/** DISCONNECT; before MQTT 5 it is empty. */
final class DisconnectCodec {
    private DisconnectCodec() {}

    static Disconnect decode(Sender sender, ProtocolVersion version, BodyReader in) throws MalformedPacketException {
        if (!version.hasProperties() || !in.hasRemaining()) {
            in.expectEnd();
            return new Disconnect(ReasonCode.NORMAL_DISCONNECTION);
        }
        ReasonCode reasonCode = in.readReasonCode(); // [MQTT-3.14.2-1]
        Disconnect packet = in.hasRemaining() ? readProperties(sender, reasonCode, in) : new Disconnect(reasonCode);
        in.expectEnd();
        return packet;
    }

    private static Disconnect readProperties(Sender sender, ReasonCode reasonCode, BodyReader in)
            throws MalformedPacketException {
        long sessionExpiryIntervalSeconds = Disconnect.SAME_EXPIRY;
        @Nullable String serverReference = null;
        Diagnostics diagnostics = new Diagnostics();
        PropertyReader properties = in.readProperties();
        while (properties.next()) {
            switch (properties.property()) {
                case SESSION_EXPIRY_INTERVAL -> {
                    if (sender == Sender.SERVER) {
                        throw in.protocolError("a server sent a session expiry interval [MQTT-3.14.2-2]");
                    }
                    sessionExpiryIntervalSeconds = properties.number();
                }
                case SERVER_REFERENCE -> serverReference = properties.text();
                default -> diagnostics.add(properties);
            }
        }
        return new Disconnect(
                reasonCode,
                sessionExpiryIntervalSeconds,
                diagnostics.reasonString(),
                diagnostics.userProperties(),
                serverReference);
    }

    static void encode(ProtocolVersion version, Disconnect packet, PacketWriter out) {
        if (!version.hasProperties() || packet.equals(new Disconnect(ReasonCode.NORMAL_DISCONNECTION))) {
            return;
        }
        out.writeByte(packet.reasonCode().number());
        int properties = out.openLength();
        PropertyWriter.number(
                out, Property.SESSION_EXPIRY_INTERVAL, packet.sessionExpiryIntervalSeconds(), Disconnect.SAME_EXPIRY);
        PropertyWriter.diagnostics(out, packet.reasonString(), packet.userProperties());
        PropertyWriter.text(out, Property.SERVER_REFERENCE, packet.serverReference());
        out.closeLength(properties);
    }
}
