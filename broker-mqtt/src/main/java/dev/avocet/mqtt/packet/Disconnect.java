package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last packet in either direction; before MQTT 5 only clients send it.
 *
 * @param sessionExpiryIntervalSeconds replaces the interval of CONNECT; {@link #SAME_EXPIRY} to leave it. Only clients
 *     send it [MQTT-3.14.2-2].
 * @param serverReference where to connect instead
 */
public record Disconnect(
        ReasonCode reasonCode,
        long sessionExpiryIntervalSeconds,
        @Nullable String reasonString,
        List<UserProperty> userProperties,
        @Nullable String serverReference)
        implements Packet {
    /** The session expiry interval stays what it is. */
    public static final long SAME_EXPIRY = -1;

    public Disconnect {
        Checks.allowed(reasonCode, PacketType.DISCONNECT); // [MQTT-3.14.2-1]
        Checks.range("session expiry interval", sessionExpiryIntervalSeconds, SAME_EXPIRY, Checks.MAX_UNSIGNED_INT);
        userProperties = List.copyOf(userProperties);
    }

    public Disconnect(ReasonCode reasonCode, @Nullable String reasonString) {
        this(reasonCode, SAME_EXPIRY, reasonString, List.of(), null);
    }

    public Disconnect(ReasonCode reasonCode) {
        this(reasonCode, null);
    }

    @Override
    public PacketType type() {
        return PacketType.DISCONNECT;
    }

    @Override
    public Packet withoutDiagnostics() {
        return new Disconnect(reasonCode, sessionExpiryIntervalSeconds, null, List.of(), serverReference);
    }
}
