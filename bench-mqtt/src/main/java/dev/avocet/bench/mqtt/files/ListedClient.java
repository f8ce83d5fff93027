package dev.avocet.bench.mqtt.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.avocet.bench.mqtt.wire.ControlPackets.Connect;
import dev.avocet.bench.mqtt.wire.PropertyWriter;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client of a list; what is null is as the options say.
 *
 * @param id the client identifier; empty for one that the server makes
 * @param version {@code TCP3} (MQTT 3.1), {@code TCP4}, {@code TCP5}, {@code WS3}, {@code WS4} or {@code WS5}
 * @param password in base 64
 * @param certificate what it shows of itself, PEM
 * @param key the key to that, PEM
 * @param cleanSession the same as {@code cleanStart}, which MQTT 5 calls it; true unless one of them says otherwise
 * @param pingIntervalSecs also the keep alive of CONNECT
 */
public record ListedClient(
        @JsonProperty("_id") @Nullable String id,
        @Nullable String version,
        @JsonProperty("username") @Nullable String userName,
        @Nullable String password,
        @JsonProperty("dst") @Nullable String host,
        @JsonProperty("dstPort") @Nullable Integer port,
        @JsonProperty("useTLS") @Nullable Boolean isTls,
        @JsonProperty("clientCertPath") @Nullable String certificate,
        @JsonProperty("clientKeyPath") @Nullable String key,
        @Nullable Boolean cleanSession,
        @Nullable Boolean cleanStart,
        @Nullable Integer sessionExpiryIntervalSecs,
        @Nullable Integer pingIntervalSecs,
        @Nullable Integer recvMaximum,
        @Nullable Integer maxPktSizeBytes,
        @Nullable Integer topicAliasMaxIn,
        @Nullable Boolean requestResponseInfo,
        @Nullable Boolean requestProblemInfo,
        @Nullable List<UserProperty> userProperties,
        @Nullable ListedWill lastWillMsg,
        @Nullable List<ListedTopic> publishTopics,
        @Nullable List<ListedFilter> subscriptions) {
    private static final int USUAL_SESSION_EXPIRY_SECONDS = 3600;
    private static final int MQTT_5 = 5;

    public ListedClient {
        if (version != null && !version.matches("(TCP|WS)[345]")) {
            throw new IllegalArgumentException("version is TCP3, TCP4, TCP5, WS3, WS4 or WS5, not " + version);
        }
        if (cleanSession != null && cleanStart != null && !cleanSession.equals(cleanStart)) {
            throw new IllegalArgumentException("cleanSession and cleanStart are the same; give one");
        }
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("clientCertPath needs clientKeyPath, and that needs it");
        }
        if (host == null && port != null) {
            throw new IllegalArgumentException("dstPort needs dst; or leave both out and give --target");
        }
        publishTopics = publishTopics == null ? List.of() : List.copyOf(publishTopics);
        subscriptions = subscriptions == null ? List.of() : List.copyOf(subscriptions);
    }

    /** Null when the options say it. */
    public @Nullable Boolean isWebSocket() {
        return version == null ? null : version.startsWith("WS");
    }

    boolean isClean() {
        return !Boolean.FALSE.equals(cleanSession) && !Boolean.FALSE.equals(cleanStart);
    }

    /**
     * Its CONNECT.
     *
     * @param otherwise what it has where this says nothing
     */
    public Connect connect(Connect otherwise) {
        int protocol = version == null ? otherwise.version() : version.charAt(version.length() - 1) - '0';
        return new Connect(
                protocol,
                id == null ? otherwise.clientId() : id,
                isClean(),
                pingIntervalSecs == null ? otherwise.keepAliveSeconds() : pingIntervalSecs,
                sessionExpirySeconds(),
                userName == null ? otherwise.userName() : userName,
                password == null ? otherwise.password() : decoded(password),
                protocol == MQTT_5 ? properties() : new byte[0],
                lastWillMsg == null ? null : lastWillMsg.will());
    }

    private int sessionExpirySeconds() {
        if (sessionExpiryIntervalSecs != null) {
            return sessionExpiryIntervalSecs;
        }
        return isClean() ? 0 : USUAL_SESSION_EXPIRY_SECONDS;
    }

    private byte[] properties() {
        PropertyWriter writer = new PropertyWriter()
                .two(PropertyWriter.RECEIVE_MAXIMUM, recvMaximum)
                .four(PropertyWriter.MAXIMUM_PACKET_SIZE, maxPktSizeBytes)
                .two(PropertyWriter.TOPIC_ALIAS_MAXIMUM, topicAliasMaxIn)
                .one(PropertyWriter.REQUEST_RESPONSE_INFORMATION, number(requestResponseInfo))
                .one(PropertyWriter.REQUEST_PROBLEM_INFORMATION, number(requestProblemInfo));
        UserProperty.write(userProperties, writer);
        return writer.toBytes();
    }

    private static @Nullable Integer number(@Nullable Boolean flag) {
        return flag == null ? null : Integer.valueOf(flag ? 1 : 0);
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("--client-list: a password is in base 64", malformed);
        }
    }
}
