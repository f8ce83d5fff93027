package dev.avocet.server.config;

import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.topic.OverlapDelivery;
import org.jspecify.annotations.Nullable;

/** What the broker grants to and expects from MQTT clients. */
public record MqttConfig(
        @Doc("Most levels that a topic name or filter may have.") @Range(min = 1, max = 65_535)
        int maxTopicLevels,

        @Doc("Longest client identifier, in bytes of UTF-8.") @Range(min = 23, max = 65_535)
        int maxClientIdBytes,

        @Doc(
                "How many QoS 1 and 2 messages a client may have on the way to the broker unacknowledged (Receive Maximum in CONNACK).")
        @Range(min = 1, max = 65_535)
        int serverReceiveMaximum,

        @Doc(
                "How many QoS 1 and 2 messages the broker has on the way to a client that names no Receive Maximum itself.")
        @Range(min = 1, max = 65_535)
        int outboundWindow,

        @Doc(
                "How many topic aliases a client may use towards the broker (Topic Alias Maximum in CONNACK); 0 forbids them.")
        @Range(min = 0, max = 65_535)
        int topicAliasMaximumIn,

        @Doc("How many topic aliases the broker uses towards a client at most; the client's own maximum counts too.")
        @Range(min = 0, max = 65_535)
        int topicAliasMaximumOut,

        @Doc(
                "Longest keep alive that a client may ask for; an MQTT 5 client that asks for more, or for none, is told this one"
                        + " instead. 0 means that any is fine.")
        @Range(min = 0, max = 65_535)
        int serverKeepAliveMaxSeconds,

        @Doc("How long a new connection may take until its CONNECT packet has arrived.")
        @Range(min = 100, max = 600_000)
        int connectTimeoutMs,

        @Doc("Largest CONNECT packet. It bounds what a client can make the broker hold before it has logged in.")
        @Range(min = 64, max = 268_435_460)
        int firstPacketMaxBytes,

        @Doc("Most subscriptions that one session may have.") @Range(min = 1)
        int maxSubscriptionsPerClient,

        @Doc(
                "Longest time for which a session is kept after its client has gone; clients that ask for more get this. Without a"
                        + " value, as long as the client asks for.")
        @Range(min = 0, max = 4_294_967_295L)
        @Nullable Long sessionExpiryMaxSeconds,

        @Doc("How long a session of an MQTT 3.1 or 3.1.1 client with clean session 0 is kept after its client has gone."
                + " 4294967295 means for ever.")
        @Range(min = 0, max = 4_294_967_295L)
        long legacySessionExpirySeconds,

        @Doc("How long a client may leave what is sent to it unread before it is disconnected.")
        @Range(min = 1_000, max = 3_600_000)
        int stallTimeoutMs,

        @Doc("How long between two reports at `$SYS/DisconnectedClientNotification`.") @Range(min = 1, max = 86_400)
        int disconnectedClientNotificationSeconds,

        @Doc("How often a client gets a message that several of its subscriptions match: `once` or `each` time.")
        OverlapDelivery deliverOverlapping,

        @Doc("Most retained messages in the broker; a message that would be one more is delivered and not retained.")
        @Range(min = 0)
        int retainedMaxCount,

        @Doc("Whether a client may leave its identifier to the broker.")
        boolean allowZeroLengthClientId,

        @Doc(
                "What MQTT 5 clients that ask for Response Information are told to begin their response topics with. Without a value,"
                        + " they are told nothing.")
        @Nullable String responseInformationPrefix,

        @Doc(
                "Another server to which every client is sent with CONNACK, for a broker that is being moved. Without a value, clients"
                        + " are served.")
        @Nullable String serverReference,

        @Doc("Whether clients are told to use that other server from now on (0x9D) or only this time (0x9C).")
        boolean redirectPermanently)
        implements Constrained {
    /** Deeper than any tree that people can keep in mind, and a bound for the work of matching one. */
    public static final int DEFAULT_MAX_TOPIC_LEVELS = 32;
    /** Room for long generated names; MQTT asks for 23 at least [MQTT-3.1.3-5]. */
    public static final int DEFAULT_MAX_CLIENT_ID_BYTES = 1_023;
    /** Enough to fill a network path of 10 ms at 25,000 messages a second. */
    public static final int DEFAULT_SERVER_RECEIVE_MAXIMUM = 256;
    /**
     * Clients before MQTT 5 cannot say how much they can take; 1,000 keeps a fast one busy and costs a slow one little.
     */
    public static final int DEFAULT_OUTBOUND_WINDOW = 1_000;
    /** Enough for most publishers, at about 100 bytes each. */
    public static final int DEFAULT_TOPIC_ALIAS_MAXIMUM_IN = 16;
    /** As towards the broker. */
    public static final int DEFAULT_TOPIC_ALIAS_MAXIMUM_OUT = 16;
    /** No limit. */
    public static final int DEFAULT_SERVER_KEEP_ALIVE_MAX_SECONDS = 0;
    /** Long enough for a client on a poor mobile link. */
    public static final int DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
    /** Room for a long name, a long token as password, and a will of ordinary size. */
    public static final int DEFAULT_FIRST_PACKET_MAX_BYTES = 65_536;
    /** Plenty for a gateway; a client that wants more usually forgets to unsubscribe. */
    public static final int DEFAULT_MAX_SUBSCRIPTIONS_PER_CLIENT = 500;
    /** No limit. */
    public static final @Nullable Long DEFAULT_SESSION_EXPIRY_MAX_SECONDS = null;
    /** For ever, as these versions of MQTT say. */
    public static final long DEFAULT_LEGACY_SESSION_EXPIRY_SECONDS = 4_294_967_295L;

    /** Longer than any pause of a client that is still alive. */
    public static final int DEFAULT_STALL_TIMEOUT_MS = 60_000;

    /** As in MessageSight. */
    public static final int DEFAULT_DISCONNECTED_CLIENT_NOTIFICATION_SECONDS = 60;

    /** What most people expect. */
    public static final OverlapDelivery DEFAULT_DELIVER_OVERLAPPING = OverlapDelivery.ONCE;
    /** About 500 MB at 256 bytes of payload, so that a mistaken publisher cannot fill the memory with topics. */
    public static final int DEFAULT_RETAINED_MAX_COUNT = 1_000_000;
    /** MQTT lets the broker choose a name [MQTT-3.1.3-6]. */
    public static final boolean DEFAULT_ALLOW_ZERO_LENGTH_CLIENT_ID = true;
    /** None. */
    public static final @Nullable String DEFAULT_RESPONSE_INFORMATION_PREFIX = null;
    /** None: clients are served here. */
    public static final @Nullable String DEFAULT_SERVER_REFERENCE = null;
    /** Only matters with a server reference. */
    public static final boolean DEFAULT_REDIRECT_PERMANENTLY = false;

    /** What applies where nothing is configured. */
    public static MqttConfig defaults() {
        return new MqttConfig(
                DEFAULT_MAX_TOPIC_LEVELS,
                DEFAULT_MAX_CLIENT_ID_BYTES,
                DEFAULT_SERVER_RECEIVE_MAXIMUM,
                DEFAULT_OUTBOUND_WINDOW,
                DEFAULT_TOPIC_ALIAS_MAXIMUM_IN,
                DEFAULT_TOPIC_ALIAS_MAXIMUM_OUT,
                DEFAULT_SERVER_KEEP_ALIVE_MAX_SECONDS,
                DEFAULT_CONNECT_TIMEOUT_MS,
                DEFAULT_FIRST_PACKET_MAX_BYTES,
                DEFAULT_MAX_SUBSCRIPTIONS_PER_CLIENT,
                DEFAULT_SESSION_EXPIRY_MAX_SECONDS,
                DEFAULT_LEGACY_SESSION_EXPIRY_SECONDS,
                DEFAULT_STALL_TIMEOUT_MS,
                DEFAULT_DISCONNECTED_CLIENT_NOTIFICATION_SECONDS,
                DEFAULT_DELIVER_OVERLAPPING,
                DEFAULT_RETAINED_MAX_COUNT,
                DEFAULT_ALLOW_ZERO_LENGTH_CLIENT_ID,
                DEFAULT_RESPONSE_INFORMATION_PREFIX,
                DEFAULT_SERVER_REFERENCE,
                DEFAULT_REDIRECT_PERMANENTLY);
    }

    @Override
    public void check(Problems problems) {
        if (redirectPermanently && serverReference == null) {
            problems.at("redirectPermanently").add("needs a serverReference to send clients to");
        }
        refuseWildcards(responseInformationPrefix, problems.at("responseInformationPrefix"));
    }

    private static void refuseWildcards(@Nullable String prefix, Problems problems) {
        if (prefix != null && (prefix.contains("+") || prefix.contains("#"))) {
            problems.add("is the beginning of a topic name, so it holds neither '+' nor '#'");
        }
    }
}
