package dev.avocet.jms.client.options;

import java.util.Locale;

/** The options, in the order of the page that is made of them. */
public enum Option {
    USERNAME("username", Kind.TEXT, "", "Who connects; empty: anonymous, or the name of the client certificate."),
    PASSWORD("password", Kind.SECRET, "", "The password of that user."),
    TOKEN_FILE(
            "tokenFile",
            Kind.TEXT,
            "",
            "A local file whose first line is a token of an OAuth server, to log in with in place of a password; read"
                    + " again for each new line to a server."),
    CLIENT_ID(
            "clientID",
            Kind.TEXT,
            "",
            "The client identifier; empty: none, the connection gets a random container identifier."),
    SASL_MECHANISMS(
            "saslMechanisms",
            Kind.TEXT,
            "",
            "Names of SASL mechanisms with commas between, the preferred first; empty: EXTERNAL,"
                    + " OAUTHBEARER, SCRAM-SHA-512, SCRAM-SHA-256, PLAIN, ANONYMOUS, the first that fits."),
    VIRTUAL_HOST(
            "virtualHost",
            Kind.TEXT,
            "",
            "The host name in the open and sasl-init frames; empty: that of the address."),
    CLIENT_MESSAGE_CACHE(
            "clientMessageCache",
            Kind.COUNT,
            "1000",
            "How many messages a consumer holds ready (its link credit), refilled each"
                    + " time a quarter is used. 0: each receive fetches its one message."),
    DISABLE_ACK(
            "disableACK",
            Kind.FLAG,
            "false",
            "Consumers take messages settled and non-persistent sends go out settled: fastest, and a"
                    + " message on its way is lost with the connection. Without effect in transacted sessions."),
    TEMPORARY_QUEUE(
            "temporaryQueue",
            Kind.TEXT,
            "",
            "What the names of temporary queues begin with, so that policies can name them; $CLIENTID stands for the client"
                    + " identifier. Empty: as the server likes; another server than Avocet's may pay no heed."),
    TEMPORARY_TOPIC("temporaryTopic", Kind.TEXT, "", "The same for temporary topics."),
    ACK_INTERVAL_MS("ackInterval", Kind.MS, "100", "DUPS_OK_ACKNOWLEDGE: acknowledgements are collected for so long."),
    ALLOW_ASYNCHRONOUS_SEND(
            "allowAsynchronousSend",
            Kind.FLAG,
            "false",
            "Persistent sends outside of transactions do not wait for the server;"
                    + " what fails goes to the exception listener."),
    ASYNC_TRANSACTION_SEND(
            "asyncTransactionSend",
            Kind.FLAG,
            "true",
            "Sends in a transaction do not wait for the server; what fails fails the" + " commit."),
    SEND_WINDOW(
            "sendWindow",
            Kind.COUNT,
            "2000",
            "How many sends of one session may be under way before send waits; large ones count for several."),
    DISABLE_MESSAGE_ID("disableMessageID", Kind.FLAG, "false", "Producers begin with setDisableMessageID(true)."),
    DISABLE_MESSAGE_TIMESTAMP(
            "disableMessageTimestamp", Kind.FLAG, "false", "Producers begin with setDisableMessageTimestamp(true)."),
    DEFAULT_TIME_TO_LIVE_MS("defaultTimeToLive", Kind.MS, "0", "Producers begin with this time to live; 0: for ever."),
    CONVERT_MESSAGE_TYPE(
            "convertMessageType",
            Kind.TEXT,
            "automatic",
            "What a message becomes whose sender does not say what it is, such as an MQTT client without a payload format:"
                    + " automatic (text where it is printable UTF-8), bytes or text."),
    TRUSTED_CLASSES(
            "trustedClasses",
            Kind.TEXT,
            "",
            "Classes and packages (with a dot at the end) that object messages may hold, with commas"
                    + " between; * for all; empty: getObject() refuses."),
    CONNECT_TIMEOUT_MS(
            "connectTimeout", Kind.MS, "15000", "How long one address may take to connect and authenticate."),
    REQUEST_TIMEOUT_MS(
            "requestTimeout", Kind.MS, "0", "How long a call waits for the server's answer; 0: as long as it takes."),
    CLOSE_TIMEOUT_MS("closeTimeout", Kind.MS, "10000", "How long close() waits for the server's answer."),
    IDLE_TIMEOUT_MS(
            "idleTimeout",
            Kind.MS,
            "60000",
            "A server from which nothing came for so long is given up; asked to beat twice as often."),
    DISABLE_TIMEOUT("disableTimeout", Kind.FLAG, "false", "Never give up a silent server."),
    RECONNECT("reconnect", Kind.FLAG, "true", "Connect again, to each address in turn, when the connection is lost."),
    RECONNECT_DELAY_MS(
            "reconnectDelay", Kind.MS, "100", "The first pause between two rounds of addresses; doubled each round."),
    RECONNECT_DELAY_MAX_MS(
            "reconnectDelayMax",
            Kind.MS,
            "10000",
            "The longest pause. A connection that lasted so long, or had a message over it, begins with the first pause again."),
    RECONNECT_ATTEMPTS("reconnectAttempts", Kind.COUNT, "0", "Rounds before the connection is given up; 0: for ever."),
    REDIRECT_HOSTS(
            "redirectHosts",
            Kind.TEXT,
            "",
            "Further hosts that a server may send this client to, with commas between; *.example.com for all of a domain, * for all."
                    + " Those of the URL, and with TLS those whose certificate is verified, need not be named."),
    INITIAL_CONNECT_ATTEMPTS(
            "initialConnectAttempts", Kind.COUNT, "1", "Rounds before createConnection() fails; 0: for ever."),
    RECV_SOCK_BUFFER("recvSockBuffer", Kind.BYTES, "0", "SO_RCVBUF; 0: as the system has it."),
    SEND_SOCK_BUFFER("sendSockBuffer", Kind.BYTES, "0", "SO_SNDBUF; 0: as the system has it."),
    MAX_FRAME_SIZE("maxFrameSize", Kind.BYTES, "1048576", "The largest AMQP frame that is accepted."),
    MAX_MESSAGE_SIZE(
            "maxMessageSize",
            Kind.BYTES,
            "268435456",
            "The largest message that is accepted, in all its frames; a server that sends a larger one ends the connection."),
    TRUST_CERTIFICATES("trustCertificates", Kind.TEXT, "", "TLS: PEM file of the certificates that are trusted."),
    TRUST_STORE(
            "trustStore",
            Kind.TEXT,
            "",
            "TLS: key store file of the certificates that are trusted. Neither: those of the JVM."),
    TRUST_STORE_PASSWORD("trustStorePassword", Kind.SECRET, "", "TLS: its password."),
    CERTIFICATE("certificate", Kind.TEXT, "", "TLS: PEM file of the client's certificate chain."),
    PRIVATE_KEY("privateKey", Kind.TEXT, "", "TLS: PEM file of its private key, PKCS#8."),
    PRIVATE_KEY_PASSWORD("privateKeyPassword", Kind.SECRET, "", "TLS: the password of that key."),
    KEY_STORE(
            "keyStore",
            Kind.TEXT,
            "",
            "TLS: key store file with the client's key and certificates, instead of the two PEM files."),
    KEY_STORE_PASSWORD("keyStorePassword", Kind.SECRET, "", "TLS: its password."),
    VERIFY_HOST("verifyHost", Kind.FLAG, "true", "TLS: the server's certificate must name the host of the address."),
    TLS_PROTOCOLS("tlsProtocols", Kind.TEXT, "TLSv1.3,TLSv1.2", "TLS: the versions that may be used."),
    CIPHER_SUITES("cipherSuites", Kind.TEXT, "", "TLS: the cipher suites that may be used; empty: those of the JVM."),
    PROTECTION_KEY_STORE(
            "protectionKeyStore",
            Kind.TEXT,
            "",
            "Protected destinations: key store file with the key that signs and opens messages, and certificates of"
                    + " recipients."),
    PROTECTION_KEY_STORE_PASSWORD(
            "protectionKeyStorePassword", Kind.SECRET, "", "Protected destinations: its password."),
    PROTECTION_KEY_ALIAS(
            "protectionKeyAlias",
            Kind.TEXT,
            "",
            "Protected destinations: the alias of that key; empty: the only one that there is."),
    PROTECTION_TRUST_STORE(
            "protectionTrustStore",
            Kind.TEXT,
            "",
            "Protected destinations: key store file of the certificates by which signers are trusted, of authorities or of"
                    + " the signers themselves; empty: those in protectionKeyStore."),
    PROTECTION_TRUST_STORE_PASSWORD(
            "protectionTrustStorePassword", Kind.SECRET, "", "Protected destinations: its password."),
    REQUIRE_PROTECTION(
            "requireProtection",
            Kind.FLAG,
            "false",
            "Send to protected destinations only, and take from them only, whatever the server says.");

    /** The form of a value. */
    public enum Kind {
        TEXT,
        SECRET,
        FLAG,
        COUNT,
        MS,
        BYTES
    }

    private final String key;
    private final Kind kind;
    private final String standard;
    private final String meaning;

    Option(final String key, final Kind kind, final String standard, final String meaning) {
        this.key = key;
        this.kind = kind;
        this.standard = standard;
        this.meaning = meaning;
    }

    /** Its name in URLs and properties; letters' case does not matter there. */
    public String key() {
        return key;
    }

    public Kind kind() {
        return kind;
    }

    /** The default. */
    public String standard() {
        return standard;
    }

    /** A sentence for the page of options. */
    public String meaning() {
        return meaning;
    }

    /**
     * The option of that name.
     *
     * @throws IllegalArgumentException with the nearest name, when there is none
     */
    public static Option of(final String key) {
        for (final Option option : values()) {
            if (option.key.equalsIgnoreCase(key)) {
                return option;
            }
        }
        throw new IllegalArgumentException("there is no option " + key + "; did you mean " + nearest(key) + "?");
    }

    private static String nearest(final String key) {
        String best = CLIENT_MESSAGE_CACHE.key;
        int least = Integer.MAX_VALUE;
        for (final Option option : values()) {
            final int distance =
                    EditDistance.between(key.toLowerCase(Locale.ROOT), option.key.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = option.key;
            }
        }
        return best;
    }
}
