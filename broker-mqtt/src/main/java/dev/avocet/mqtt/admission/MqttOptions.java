package dev.avocet.mqtt.admission;

import org.jspecify.annotations.Nullable;

/**
 * What the MQTT front end can be told to do differently.
 *
 * @param maxClientIdBytes longest client identifier, in UTF-8 bytes
 * @param receiveMaximum QoS 1 and QoS 2 publishes that an MQTT 5 client may have in flight to the broker, 1 to 65535
 * @param outboundWindow deliveries in flight to a client that names no receive maximum, 1 to 65535
 * @param topicAliasMaximumIn topic aliases that a client may set, 0 to 65535
 * @param topicAliasMaximumOut topic aliases that the broker sets at most towards a client that allows them
 * @param keepAliveMaxSeconds longest keep alive that a client may ask for; 0 for no limit
 * @param sessionExpiryMaxSeconds longest session expiry interval; {@code 0xFFFFFFFF} for no limit
 * @param legacySessionExpirySeconds how long a session of MQTT 3 with clean session 0 is kept; {@code 0xFFFFFFFF} for
 *     ever
 * @param maxSubscriptions subscriptions of one session
 * @param maxConnectBytes the largest CONNECT packet, in bytes: nothing is known of its sender yet
 * @param stallTimeoutMs how long a client may leave its connection unreadable before it is closed, in milliseconds
 * @param responseInformationPrefix what the response information of MQTT 5 begins with; the client identifier follows.
 *     Null to give none
 * @param assignsClientIds whether a client may leave its identifier to the broker
 * @param redirect where clients are sent instead of being served, or null to serve them
 */
public record MqttOptions(
        int maxClientIdBytes,
        int receiveMaximum,
        int outboundWindow,
        int topicAliasMaximumIn,
        int topicAliasMaximumOut,
        int keepAliveMaxSeconds,
        long sessionExpiryMaxSeconds,
        long legacySessionExpirySeconds,
        int maxSubscriptions,
        int maxConnectBytes,
        int stallTimeoutMs,
        @Nullable String responseInformationPrefix,
        boolean assignsClientIds,
        @Nullable Redirect redirect) {
    private static final long FOR_EVER = 0xFFFF_FFFFL;

    /** The reference product's windows and limits. */
    public static final MqttOptions DEFAULT = new MqttOptions(
            1023, 256, 1000, 16, 16, 0, FOR_EVER, FOR_EVER, 500, 64 << 10, 60_000, "response/", true, null);

    public MqttOptions withReceiveMaximum(int value) {
        return new MqttOptions(
                maxClientIdBytes,
                value,
                outboundWindow,
                topicAliasMaximumIn,
                topicAliasMaximumOut,
                keepAliveMaxSeconds,
                sessionExpiryMaxSeconds,
                legacySessionExpirySeconds,
                maxSubscriptions,
                maxConnectBytes,
                stallTimeoutMs,
                responseInformationPrefix,
                assignsClientIds,
                redirect);
    }

    public MqttOptions withLimits(int keepAliveSeconds, int subscriptions) {
        return new MqttOptions(
                maxClientIdBytes,
                receiveMaximum,
                outboundWindow,
                topicAliasMaximumIn,
                topicAliasMaximumOut,
                keepAliveSeconds,
                sessionExpiryMaxSeconds,
                legacySessionExpirySeconds,
                subscriptions,
                maxConnectBytes,
                stallTimeoutMs,
                responseInformationPrefix,
                assignsClientIds,
                redirect);
    }

    /** The same with clients sent elsewhere. */
    public MqttOptions withRedirect(Redirect elsewhere) {
        return new MqttOptions(
                maxClientIdBytes,
                receiveMaximum,
                outboundWindow,
                topicAliasMaximumIn,
                topicAliasMaximumOut,
                keepAliveMaxSeconds,
                sessionExpiryMaxSeconds,
                legacySessionExpirySeconds,
                maxSubscriptions,
                maxConnectBytes,
                stallTimeoutMs,
                responseInformationPrefix,
                assignsClientIds,
                elsewhere);
    }

    /**
     * Another server that clients are sent to.
     *
     * @param serverReference its name, as MQTT 5 section 4.11 has it
     * @param permanent true for "server moved", false for "use another server"
     */
    public record Redirect(String serverReference, boolean permanent) {}
}
