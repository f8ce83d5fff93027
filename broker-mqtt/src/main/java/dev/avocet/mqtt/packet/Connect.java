package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first packet of a client. {@link #builder} has the standard's defaults for everything optional.
 *
 * @param bridge the client set bit 7 of the protocol level, as bridges of other brokers do with levels 3 and 4
 * @param cleanStart clean session before MQTT 5
 * @param keepAliveSeconds 0 to 65535; 0 turns the mechanism off
 * @param clientId the client identifier; empty to ask the server for one
 * @param sessionExpiryIntervalSeconds as it is on the wire, thus 0 before MQTT 5, where {@code cleanStart} decides;
 *     {@link #NEVER_EXPIRES} is the greatest
 * @param receiveMaximum 1 to 65535
 * @param maximumPacketSizeBytes 1 to 4294967295
 * @param topicAliasMaximum 0 to 65535
 * @param authenticationData only together with a method
 */
public record Connect(
        ProtocolVersion version,
        boolean bridge,
        boolean cleanStart,
        int keepAliveSeconds,
        String clientId,
        @Nullable ConnectWill will,
        @Nullable String userName,
        byte @Nullable [] password,
        long sessionExpiryIntervalSeconds,
        int receiveMaximum,
        long maximumPacketSizeBytes,
        int topicAliasMaximum,
        boolean requestResponseInformation,
        boolean requestProblemInformation,
        @Nullable String authenticationMethod,
        byte @Nullable [] authenticationData,
        List<UserProperty> userProperties)
        implements Packet {
    /** The greatest receive maximum, and what holds when none is given. */
    public static final int DEFAULT_RECEIVE_MAXIMUM = 65_535;

    /** The maximum packet size of a receiver that states none: greater than any packet. */
    public static final long NO_PACKET_SIZE_LIMIT = 0xFFFF_FFFFL;

    /** The session expiry interval of a session that does not expire. */
    public static final long NEVER_EXPIRES = 0xFFFF_FFFFL;

    public Connect {
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(clientId, "clientId");
        Checks.that(!bridge || version != ProtocolVersion.V5, "MQTT 5 has no bridge flag");
        Checks.range("keep alive", keepAliveSeconds, 0, 0xFFFF);
        Checks.range("session expiry interval", sessionExpiryIntervalSeconds, 0, NEVER_EXPIRES);
        Checks.range("receive maximum", receiveMaximum, 1, DEFAULT_RECEIVE_MAXIMUM);
        Checks.range("maximum packet size", maximumPacketSizeBytes, 1, NO_PACKET_SIZE_LIMIT);
        Checks.range("topic alias maximum", topicAliasMaximum, 0, 0xFFFF);
        Checks.that(
                authenticationData == null || authenticationMethod != null,
                "authentication data needs an authentication method");
        userProperties = List.copyOf(userProperties);
    }

    /** A clean MQTT 5 connection without credentials and will; change what is different. */
    public static ConnectBuilder builder(String clientId) {
        return new ConnectBuilder(clientId);
    }

    @Override
    public PacketType type() {
        return PacketType.CONNECT;
    }
}
