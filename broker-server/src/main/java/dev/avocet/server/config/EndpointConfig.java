package dev.avocet.server.config;

import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.frontend.Leniency;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/** One address on which clients are served. */
public record EndpointConfig(
        @Doc("A name for people, logs and metrics; unique among the endpoints.")
        String name,

        @Doc(
                "The address to listen on: a host name, an IPv4 or an IPv6 address. `0.0.0.0` and `::` mean every address of this"
                        + " machine.")
        String host,

        @Doc("The TCP port to listen on; 0 lets the operating system choose one, which is printed at start.")
        @Range(min = 0, max = 65_535)
        int port,

        @Doc(
                "What clients may speak here. `amqp` is AMQP 1.0, as JMS clients speak it. One port can serve all, because the first bytes tell them apart.")
        List<WireProtocol> protocols,

        @Doc("Largest packet that a client may send here. MQTT 5 clients are told in CONNACK.")
        @Range(min = 1_024, max = 268_435_456)
        int maxMessageSizeBytes,

        @Doc(
                "Listen even though others can reach the address and there is neither a user list nor TLS, and let clients in without"
                        + " a name.")
        boolean allowInsecure,

        @Doc(
                "Origins of web pages that may connect by WebSocket, such as `https://app.example.com`, beside pages from the host name"
                        + " that the endpoint is reached by; `*` for every page.")
        List<String> allowedOrigins,

        @Doc(
                "Whether client identifiers, user names, topics and filters of MQTT clients may hold control characters and"
                        + " noncharacters of Unicode.")
        boolean allowControlCharacters,

        @Doc(
                "Whether SUBACK says why a subscription of an MQTT 5 client is refused, such as 0x87 or 0x8F; if not, it is 0x80,"
                        + " as older clients expect.")
        boolean preciseSubscribeCodes,

        @Doc(
                "Whether an AMQP address that is a bare name is a topic where no queue has that name; if not, it is refused, as"
                        + " nothing may be subscribed to that topic.")
        boolean bareNamesAreTopics,

        @Doc("TLS for this endpoint. One that speaks TLS speaks nothing else.")
        TlsConfig tls)
        implements Constrained {
    /** The name of the endpoint that is there when none is configured. */
    public static final String DEFAULT_NAME = "default";
    /** Loopback, so that no other machine can reach a broker that has just been unpacked. */
    public static final String DEFAULT_HOST = "127.0.0.1";
    /** The port registered for MQTT without TLS. */
    public static final int DEFAULT_PORT = 1883;
    /** All, on one port. */
    public static final List<WireProtocol> DEFAULT_PROTOCOLS =
            List.of(WireProtocol.MQTT, WireProtocol.WEBSOCKET, WireProtocol.AMQP);
    /** 1 MiB. */
    public static final int DEFAULT_MAX_MESSAGE_SIZE_BYTES = 1_048_576;
    /** Safe unless asked otherwise. */
    public static final boolean DEFAULT_ALLOW_INSECURE = false;
    /** None: a page that a browser happens to show must not reach a broker on that machine's loopback address. */
    public static final List<String> DEFAULT_ALLOWED_ORIGINS = List.of();

    /** They are refused. */
    public static final boolean DEFAULT_ALLOW_CONTROL_CHARACTERS = false;
    /** A client is told as much as its version of MQTT can say. */
    public static final boolean DEFAULT_PRECISE_SUBSCRIBE_CODES = true;
    /** What is sent to a topic that nothing subscribes to is gone. */
    public static final boolean DEFAULT_BARE_NAMES_ARE_TOPICS = false;

    /** Without TLS. */
    public static final TlsConfig DEFAULT_TLS = TlsConfig.defaults();

    /** Copies the lists. */
    public EndpointConfig {
        protocols = List.copyOf(protocols);
        allowedOrigins = List.copyOf(allowedOrigins);
    }

    /** The endpoint that is there when none is configured. */
    public static EndpointConfig defaults() {
        return new EndpointConfig(
                DEFAULT_NAME,
                DEFAULT_HOST,
                DEFAULT_PORT,
                DEFAULT_PROTOCOLS,
                DEFAULT_MAX_MESSAGE_SIZE_BYTES,
                DEFAULT_ALLOW_INSECURE,
                DEFAULT_ALLOWED_ORIGINS,
                DEFAULT_ALLOW_CONTROL_CHARACTERS,
                DEFAULT_PRECISE_SUBSCRIBE_CODES,
                DEFAULT_BARE_NAMES_ARE_TOPICS,
                DEFAULT_TLS);
    }

    /** The same endpoint under another name and address. */
    public EndpointConfig listeningOn(String newName, String newHost, int newPort) {
        return with(newName, newHost, newPort, allowInsecure);
    }

    /** The same endpoint with {@code allowInsecure} set. */
    public EndpointConfig insecure() {
        return with(name, host, port, true);
    }

    private EndpointConfig with(String newName, String newHost, int newPort, boolean insecure) {
        return new EndpointConfig(
                newName,
                newHost,
                newPort,
                protocols,
                maxMessageSizeBytes,
                insecure,
                allowedOrigins,
                allowControlCharacters,
                preciseSubscribeCodes,
                bareNamesAreTopics,
                tls);
    }

    /** What it puts up with. */
    public Leniency leniency() {
        return new Leniency(allowControlCharacters, !preciseSubscribeCodes, bareNamesAreTopics);
    }

    /** The address to bind; resolves the host, so it may block on a name service. */
    public InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }

    /** True when only this machine can reach the endpoint; resolves the host. */
    public boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** True for a host that exists and is not loopback. */
    static boolean isExposed(String host) {
        try {
            return !InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    static void checkHost(String host, Problems problems) {
        try {
            InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            problems.at("host").add("'" + host + "' is not an address of this machine, and no name server knows it");
        }
    }

    @Override
    public void check(Problems problems) {
        checkHost(host, problems);
        if (name.isBlank()) {
            problems.at("name").add("must not be empty");
        }
        if (protocols.isEmpty()) {
            problems.at("protocols").add("must name at least one of mqtt, websocket, amqp");
        }
    }
}
