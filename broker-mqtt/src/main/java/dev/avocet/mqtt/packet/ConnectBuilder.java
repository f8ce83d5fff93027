package dev.avocet.mqtt.packet;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Connect}; everything optional has the standard's default. For one thread. */
public final class ConnectBuilder {
    private ProtocolVersion version = ProtocolVersion.V5;
    private boolean bridge;
    private boolean cleanStart = true;
    private int keepAliveSeconds;
    private String clientId;
    private @Nullable ConnectWill will;
    private @Nullable String userName;
    private byte @Nullable [] password;
    private long sessionExpiryIntervalSeconds;
    private int receiveMaximum = Connect.DEFAULT_RECEIVE_MAXIMUM;
    private long maximumPacketSizeBytes = Connect.NO_PACKET_SIZE_LIMIT;
    private int topicAliasMaximum;
    private boolean requestResponseInformation;
    private boolean requestProblemInformation = true;
    private @Nullable String authenticationMethod;
    private byte @Nullable [] authenticationData;
    private List<UserProperty> userProperties = List.of();

    ConnectBuilder(String clientId) {
        this.clientId = clientId;
    }

    public ConnectBuilder version(ProtocolVersion value) {
        version = value;
        return this;
    }

    public ConnectBuilder bridge(boolean value) {
        bridge = value;
        return this;
    }

    public ConnectBuilder cleanStart(boolean value) {
        cleanStart = value;
        return this;
    }

    public ConnectBuilder keepAliveSeconds(int value) {
        keepAliveSeconds = value;
        return this;
    }

    public ConnectBuilder clientId(String value) {
        clientId = value;
        return this;
    }

    public ConnectBuilder will(@Nullable ConnectWill value) {
        will = value;
        return this;
    }

    public ConnectBuilder userName(@Nullable String value) {
        userName = value;
        return this;
    }

    public ConnectBuilder password(byte @Nullable [] value) {
        password = value;
        return this;
    }

    public ConnectBuilder sessionExpiryIntervalSeconds(long value) {
        sessionExpiryIntervalSeconds = value;
        return this;
    }

    public ConnectBuilder receiveMaximum(int value) {
        receiveMaximum = value;
        return this;
    }

    public ConnectBuilder maximumPacketSizeBytes(long value) {
        maximumPacketSizeBytes = value;
        return this;
    }

    public ConnectBuilder topicAliasMaximum(int value) {
        topicAliasMaximum = value;
        return this;
    }

    public ConnectBuilder requestResponseInformation(boolean value) {
        requestResponseInformation = value;
        return this;
    }

    public ConnectBuilder requestProblemInformation(boolean value) {
        requestProblemInformation = value;
        return this;
    }

    public ConnectBuilder authenticationMethod(@Nullable String value) {
        authenticationMethod = value;
        return this;
    }

    public ConnectBuilder authenticationData(byte @Nullable [] value) {
        authenticationData = value;
        return this;
    }

    public ConnectBuilder userProperties(List<UserProperty> value) {
        userProperties = value;
        return this;
    }

    public Connect build() {
        return new Connect(
                version,
                bridge,
                cleanStart,
                keepAliveSeconds,
                clientId,
                will,
                userName,
                password,
                sessionExpiryIntervalSeconds,
                receiveMaximum,
                maximumPacketSizeBytes,
                topicAliasMaximum,
                requestResponseInformation,
                requestProblemInformation,
                authenticationMethod,
                authenticationData,
                userProperties);
    }
}
