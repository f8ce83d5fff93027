package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of an extended authentication, MQTT 5 only.
 *
 * @param authenticationMethod null only in the short form, which says nothing but success
 * @param authenticationData its meaning is the method's
 */
public record Auth(
        ReasonCode reasonCode,
        @Nullable String authenticationMethod,
        byte @Nullable [] authenticationData,
        @Nullable String reasonString,
        List<UserProperty> userProperties)
        implements Packet {
    public Auth {
        Checks.allowed(reasonCode, PacketType.AUTH); // [MQTT-3.15.2-1]
        Checks.that(
                authenticationMethod != null
                        || (reasonCode == ReasonCode.SUCCESS
                                && authenticationData == null
                                && reasonString == null
                                && userProperties.isEmpty()),
                "AUTH needs an authentication method");
        userProperties = List.copyOf(userProperties);
    }

    public Auth(ReasonCode reasonCode, String authenticationMethod, byte @Nullable [] authenticationData) {
        this(reasonCode, authenticationMethod, authenticationData, null, List.of());
    }

    @Override
    public PacketType type() {
        return PacketType.AUTH;
    }

    @Override
    public Packet withoutDiagnostics() {
        return new Auth(reasonCode, authenticationMethod, authenticationData, null, List.of());
    }
}
