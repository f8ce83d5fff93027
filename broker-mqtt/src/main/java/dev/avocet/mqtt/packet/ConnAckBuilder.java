package dev.avocet.mqtt.packet;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a {@link ConnAck}; everything optional has the standard's default. For one thread. */
public final class ConnAckBuilder {
    private boolean sessionPresent;
    private final ReasonCode reasonCode;
    private long sessionExpiryIntervalSeconds = ConnAck.AS_REQUESTED;
    private int receiveMaximum = Connect.DEFAULT_RECEIVE_MAXIMUM;
    private QualityOfService maximumQos = QualityOfService.EXACTLY_ONCE;
    private boolean retainAvailable = true;
    private long maximumPacketSizeBytes = Connect.NO_PACKET_SIZE_LIMIT;
    private @Nullable String assignedClientIdentifier;
    private int topicAliasMaximum;
    private @Nullable String reasonString;
    private List<UserProperty> userProperties = List.of();
    private boolean wildcardSubscriptionAvailable = true;
    private boolean subscriptionIdentifiersAvailable = true;
    private boolean sharedSubscriptionAvailable = true;
    private int serverKeepAliveSeconds = ConnAck.AS_REQUESTED;
    private @Nullable String responseInformation;
    private @Nullable String serverReference;
    private @Nullable String authenticationMethod;
    private byte @Nullable [] authenticationData;

    ConnAckBuilder(ReasonCode reasonCode) {
        this.reasonCode = reasonCode;
    }

    public ConnAckBuilder sessionPresent(boolean value) {
        sessionPresent = value;
        return this;
    }

    public ConnAckBuilder sessionExpiryIntervalSeconds(long value) {
        sessionExpiryIntervalSeconds = value;
        return this;
    }

    public ConnAckBuilder receiveMaximum(int value) {
        receiveMaximum = value;
        return this;
    }

    public ConnAckBuilder maximumQos(QualityOfService value) {
        maximumQos = value;
        return this;
    }

    public ConnAckBuilder retainAvailable(boolean value) {
        retainAvailable = value;
        return this;
    }

    public ConnAckBuilder maximumPacketSizeBytes(long value) {
        maximumPacketSizeBytes = value;
        return this;
    }

    public ConnAckBuilder assignedClientIdentifier(@Nullable String value) {
        assignedClientIdentifier = value;
        return this;
    }

    public ConnAckBuilder topicAliasMaximum(int value) {
        topicAliasMaximum = value;
        return this;
    }

    public ConnAckBuilder reasonString(@Nullable String value) {
        reasonString = value;
        return this;
    }

    public ConnAckBuilder userProperties(List<UserProperty> value) {
        userProperties = value;
        return this;
    }

    public ConnAckBuilder wildcardSubscriptionAvailable(boolean value) {
        wildcardSubscriptionAvailable = value;
        return this;
    }

    public ConnAckBuilder subscriptionIdentifiersAvailable(boolean value) {
        subscriptionIdentifiersAvailable = value;
        return this;
    }

    public ConnAckBuilder sharedSubscriptionAvailable(boolean value) {
        sharedSubscriptionAvailable = value;
        return this;
    }

    public ConnAckBuilder serverKeepAliveSeconds(int value) {
        serverKeepAliveSeconds = value;
        return this;
    }

    public ConnAckBuilder responseInformation(@Nullable String value) {
        responseInformation = value;
        return this;
    }

    public ConnAckBuilder serverReference(@Nullable String value) {
        serverReference = value;
        return this;
    }

    public ConnAckBuilder authenticationMethod(@Nullable String value) {
        authenticationMethod = value;
        return this;
    }

    public ConnAckBuilder authenticationData(byte @Nullable [] value) {
        authenticationData = value;
        return this;
    }

    public ConnAck build() {
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
                reasonString,
                userProperties,
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
