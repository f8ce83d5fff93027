package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.Property;
import dev.avocet.mqtt.codec.field.PropertyReader;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.ReasonCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** AUTH, MQTT 5 only. */
final class AuthCodec {
    private AuthCodec() {}

    static Auth decode(BodyReader in) throws MalformedPacketException {
        if (!in.hasRemaining()) {
            return new Auth(ReasonCode.SUCCESS, null, null, null, List.of());
        }
        ReasonCode reasonCode = in.readReasonCode(); // [MQTT-3.15.2-1]
        @Nullable String method = null;
        byte @Nullable [] data = null;
        Diagnostics diagnostics = new Diagnostics();
        PropertyReader properties = in.readProperties();
        while (properties.next()) {
            switch (properties.property()) {
                case AUTHENTICATION_METHOD -> method = properties.text();
                case AUTHENTICATION_DATA -> data = properties.binary();
                default -> diagnostics.add(properties);
            }
        }
        in.expectEnd();
        if (method == null) {
            throw in.protocolError("no authentication method");
        }
        return new Auth(reasonCode, method, data, diagnostics.reasonString(), diagnostics.userProperties());
    }

    static void encode(Auth packet, PacketWriter out) {
        if (packet.authenticationMethod() == null) {
            return;
        }
        out.writeByte(packet.reasonCode().number());
        int properties = out.openLength();
        PropertyWriter.text(out, Property.AUTHENTICATION_METHOD, packet.authenticationMethod());
        PropertyWriter.binary(out, Property.AUTHENTICATION_DATA, packet.authenticationData());
        PropertyWriter.diagnostics(out, packet.reasonString(), packet.userProperties());
        out.closeLength(properties);
    }
}
