package dev.avocet.mqtt.packet;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The server's answer to {@link Connect}. {@link #builder} has the standard's defaults for everything optional.
 *
 * @param sessionExpiryIntervalSeconds {@link #AS_REQUESTED}, or what the server uses instead
 * @param receiveMaximum 1 to 65535
 * @param maximumQos the highest level that the server takes
 * @param maximumPacketSizeBytes 1 to 4294967295
 * @param topicAliasMaximum 0 to 65535
 * @param serverKeepAliveSeconds 0 to 65535, or {@link #AS_REQUESTED}
 * @param authenticationData only together with a method
 */
public record ConnAck(
        boolean sessionPresent,
        ReasonCode reasonCode,
        long sessionExpiryIntervalSeconds,
        int receiveMaximum,
        QualityOfService maximumQos,
        boolean retainAvailable,
        long maximumPacketSizeBytes,
        @Nullable String assignedClientIdentifier,
        int topicAliasMaximum,
        @Nullable String reasonString,
        List<UserProperty> userProperties,
        boolean wildcardSubscriptionAvailable,
        boolean subscriptionIdentifiersAvailable,
        boolean sharedSubscriptionAvailable,
        int serverKeepAliveSeconds,
        @Nullable String responseInformation,
        @Nullable String serverReference,
        @Nullable String authenticationMethod,
        byte @Nullable [] authenticationData)
        implements Packet {
    /** The server accepts what the client asked for in CONNECT. */
    public static final int AS_REQUESTED = -1;

    public ConnAck {
        Checks.allowed(reasonCode, PacketType.CONNACK); // [MQTT-3.2.2-8]
        Checks.that(!sessionPresent || !reasonCode.isError(), "no session is present after an error"); // [MQTT-3.2.2-6]
        Objects.requireNonNull(maximumQos, "maximumQos");
        Checks.range("session expiry interval", sessionExpiryIntervalSeconds, AS_REQUESTED, Checks.MAX_UNSIGNED_INT);
        Checks.range("receive maximum", receiveMaximum, 1, Connect.DEFAULT_RECEIVE_MAXIMUM);
        Checks.range("maximum packet size", maximumPacketSizeBytes, 1, Connect.NO_PACKET_SIZE_LIMIT);
        Checks.range("topic alias maximum", topicAliasMaximum, 0, 0xFFFF);
        Checks.range("server keep alive", serverKeepAliveSeconds, AS_REQUESTED, 0xFFFF);
        Checks.that(
                authenticationData == null || authenticationMethod != null,
                "authentication data needs an authentication method");
        userProperties = List.copyOf(userProperties);
    }

    /** An answer that limits nothing and knows no session; change what is different. */
    public static ConnAckBuilder builder(ReasonCode reasonCode) {
        return new ConnAckBuilder(reasonCode);
    }

    @Override
    public PacketType type() {
        return PacketType.CONNACK;
    }

    @Override
    public Packet withoutDiagnostics() {
        return new ConnAck(
                sessionPresent,
                reasonCode,
                sessionExpiryIntervalSeconds,
                receiveMaximum,
                maximumQos,
                retainAvailable,
                maximumPacketSizeBytes,
                assignedClientIdentifier,
                topicAliasMaximum,
                null,
                List.of(),
                wildcardSubscriptionAvailable,
                subscriptionIdentifiersAvailable,
                sharedSubscriptionAvailable,
                serverKeepAliveSeconds,
                responseInformation,
                serverReference,
                authenticationMethod,
                authenticationData);
    }
}
