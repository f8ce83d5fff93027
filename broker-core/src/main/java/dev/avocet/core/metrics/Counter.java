package dev.avocet.core.metrics;

import java.util.Locale;

/** Everything the broker counts. A counter only grows, except the gauges, which go both ways. */
public enum Counter {
    MESSAGES_RECEIVED("Messages that publishers sent"),
    MESSAGES_DELIVERED("Messages sent to consumers, once per consumer"),
    BYTES_RECEIVED("Bytes read from clients"),
    BYTES_SENT("Bytes written to clients"),
    PUBLISHES_REFUSED("Publishes that failed as a whole because a subscription was full or memory was short"),
    PUBLISHES_UNAUTHORIZED("Publishes that no policy allows"),
    SUBSCRIPTIONS_UNAUTHORIZED("Subscriptions that no policy allows, asked for or of an earlier connection"),
    CONNECTIONS_UNAUTHORIZED("Connections refused because no policy lets the client in with what it asks for"),
    PUBLISHES_INCOMPLETE("Publishes that were taken, though one or more full subscriptions went without"),
    MESSAGES_REJECTED("Messages that one full subscription did not take"),
    MESSAGES_DISCARDED("Messages removed from full subscriptions to make room"),
    MESSAGES_EXPIRED("Messages whose time ran out before delivery"),
    MESSAGES_WITHOUT_SUBSCRIBER("Messages that no subscription took"),
    RETAINED_REFUSED("Messages delivered but not retained because as many topics as allowed hold one"),
    MESSAGES_TOO_LARGE("Deliveries left out because they exceed the client's maximum packet size"),
    CONNECTIONS_ACCEPTED("Connections accepted by an endpoint"),
    CONNECTIONS_BAD("Connections closed before their first packet was accepted"),
    CONNECTIONS_REFUSED("Connections closed at once because a limit was reached"),
    ACCEPT_FAILURES("Times that a listener could not accept, mostly for want of files, and paused"),
    CONNECTIONS_ACTIVE("Connections open now", true),
    SESSIONS_CONNECTED("Sessions with a connection now", true),
    SESSIONS("Sessions, connected or not", true),
    SESSIONS_TAKEN_OVER("Connections closed because the same client connected again"),
    SESSIONS_EXPIRED("Sessions that ended because their expiry interval passed"),
    SUBSCRIPTIONS("Subscriptions", true),
    PROTOCOL_ERRORS("Connections closed because of a malformed packet or a protocol error"),
    AUTHENTICATION_FAILURES("Connections refused because of their credentials"),
    LOGINS_THROTTLED("Logins that had to wait, or were refused, because others had failed before"),
    TLS_HANDSHAKES("TLS handshakes completed"),
    TLS_HANDSHAKES_RESUMED("TLS handshakes completed that resumed a session"),
    TLS_HANDSHAKES_WAITING("TLS handshakes whose next step waits for its turn", true),
    OCSP_WAITING("Clients that wait for the answer of an OCSP responder", true),
    OCSP_REFUSED("Clients refused by what an OCSP responder says, or because it says nothing"),
    TLS_HANDSHAKE_FAILURES("TLS handshakes that failed or took too long"),
    TLS_MISMATCHES("Connections closed because they spoke TLS where there is none, or none where there is"),
    KEEP_ALIVE_TIMEOUTS("Connections closed because nothing came within one and a half keep alive intervals"),
    STALLED_CONSUMERS("Connections closed because the client stopped reading"),
    NEVER_ACKNOWLEDGING_CONSUMERS("Connections closed because the client stopped acknowledging"),
    WILLS_PUBLISHED("Will messages published"),
    BUFFERED_MESSAGES("Messages waiting or in flight in queues", true),
    BUFFERED_BYTES("Bytes of messages waiting or in flight in queues", true),
    REFERENCE_BYTES("Heap that the references of queues to their messages take, in bytes", true);

    private final String description;
    private final boolean gauge;

    Counter(String description) {
        this(description, false);
    }

    Counter(String description, boolean gauge) {
        this.description = description;
        this.gauge = gauge;
    }

    public String description() {
        return description;
    }

    /** True when the figure goes down as well as up. */
    public boolean isGauge() {
        return gauge;
    }

    /** The name in metrics, for example {@code avocet.messages.received}. */
    public String metricName() {
        return "avocet." + name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
