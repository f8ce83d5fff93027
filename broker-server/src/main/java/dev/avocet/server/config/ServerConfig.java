package dev.avocet.server.config;

import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.endpoint.Transport;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The whole configuration of one broker. */
public record ServerConfig(
        @Doc("A name for this broker in logs and metrics.") String serverName,

        @Doc(
                "Where the broker keeps its files; a relative path begins at the folder of the distribution. `--data` overrides it.")
        String dataDirectory,

        @Doc("Where messages and sessions are kept.") StoreConfig store,

        @Doc("How many threads serve connections; 0 means one for every two processors.") @Range(min = 0, max = 1_024)
        int ioThreads,

        @Doc(
                "How the broker talks to the kernel about sockets: `auto` (epoll where possible), `epoll`, `nio` or `io_uring`.")
        Transport transport,

        @Doc("Addresses on which clients are served beside those of the endpoints that are [objects](objects.md);"
                + " `--endpoint` replaces both.")
        List<EndpointConfig> endpoints,

        @Doc("What the broker grants to and expects from MQTT clients.")
        MqttConfig mqtt,

        @Doc("What bounds memory and protects the broker from clients that are too many or too slow.")
        LimitsConfig limits,

        @Doc("Who may connect.") SecurityConfig security,

        @Doc("The HTTP end point for health checks and metrics.")
        AdminConfig admin)
        implements Constrained {
    /** As the product. */
    public static final String DEFAULT_SERVER_NAME = "avocet";
    /** Beside {@code bin} and {@code conf}. */
    public static final String DEFAULT_DATA_DIRECTORY = "data";
    /** The defaults of the section. */
    public static final StoreConfig DEFAULT_STORE = StoreConfig.defaults();
    /**
     * One for every two processors: the other half is for the kernel's share of the traffic, the collector and
     * everything else.
     */
    public static final int DEFAULT_IO_THREADS = 0;
    /** The best that works. */
    public static final Transport DEFAULT_TRANSPORT = Transport.AUTO;
    /** None: the objects have one. */
    public static final List<EndpointConfig> DEFAULT_ENDPOINTS = List.of();
    /** The defaults of the section. */
    public static final MqttConfig DEFAULT_MQTT = MqttConfig.defaults();
    /** The defaults of the section. */
    public static final LimitsConfig DEFAULT_LIMITS = LimitsConfig.defaults();
    /** The defaults of the section. */
    public static final SecurityConfig DEFAULT_SECURITY = SecurityConfig.defaults();
    /** The defaults of the section. */
    public static final AdminConfig DEFAULT_ADMIN = AdminConfig.defaults();

    /** Copies the endpoints. */
    public ServerConfig {
        endpoints = List.copyOf(endpoints);
    }

    /** What applies where nothing is configured. */
    public static ServerConfig defaults() {
        return new ServerConfig(
                DEFAULT_SERVER_NAME,
                DEFAULT_DATA_DIRECTORY,
                DEFAULT_STORE,
                DEFAULT_IO_THREADS,
                DEFAULT_TRANSPORT,
                DEFAULT_ENDPOINTS,
                DEFAULT_MQTT,
                DEFAULT_LIMITS,
                DEFAULT_SECURITY,
                DEFAULT_ADMIN);
    }

    /** The same with other endpoints. */
    public ServerConfig withEndpoints(List<EndpointConfig> other) {
        return new ServerConfig(
                serverName, dataDirectory, store, ioThreads, transport, other, mqtt, limits, security, admin);
    }

    /** The same with another store. */
    public ServerConfig withStore(StoreConfig other) {
        return new ServerConfig(
                serverName, dataDirectory, other, ioThreads, transport, endpoints, mqtt, limits, security, admin);
    }

    /** The same with other administration. */
    public ServerConfig withAdmin(AdminConfig other) {
        return new ServerConfig(
                serverName, dataDirectory, store, ioThreads, transport, endpoints, mqtt, limits, security, other);
    }

    /** The same with {@code allowInsecure} set everywhere. */
    public ServerConfig insecure() {
        List<EndpointConfig> open =
                endpoints.stream().map(EndpointConfig::insecure).toList();
        return withEndpoints(open).withAdmin(admin.insecure());
    }

    @Override
    public void check(Problems problems) {
        checkEndpointNames(problems.at("endpoints"));
        checkExposure(problems.at("endpoints"));
        checkMessagesFitTheStore(problems.at("endpoints"));
    }

    private void checkEndpointNames(Problems problems) {
        Set<String> names = new HashSet<>();
        Set<String> addresses = new HashSet<>();
        for (int i = 0; i < endpoints.size(); i++) {
            EndpointConfig endpoint = endpoints.get(i);
            if (!names.add(endpoint.name())) {
                problems.at(i).at("name").add("'" + endpoint.name() + "' is there twice");
            }
            if (endpoint.port() != 0 && !addresses.add(endpoint.host() + ":" + endpoint.port())) {
                problems.at(i).at("port").add(endpoint.host() + ":" + endpoint.port() + " is there twice");
            }
        }
    }

    private void checkExposure(Problems problems) {
        for (int i = 0; i < endpoints.size(); i++) {
            EndpointConfig endpoint = endpoints.get(i);
            boolean open = !security.knowsUsers()
                    && !endpoint.allowInsecure()
                    && !endpoint.tls().requiresCertificate();
            if (open && EndpointConfig.isExposed(endpoint.host())) {
                problems.at(i)
                        .at("host")
                        .add("'" + endpoint.host() + "' can be reached by others, and there are no users;"
                                + " add users (broker hash-password NAME), or require client certificates,"
                                + " or listen on 127.0.0.1,"
                                + " or let every client in with allowInsecure (or --allow-insecure)");
            }
        }
    }

    private void checkMessagesFitTheStore(Problems problems) {
        for (int i = 0; i < endpoints.size(); i++) {
            int largest = endpoints.get(i).maxMessageSizeBytes();
            if (store.isDurable() && largest > store.maxMessageSizeBytes()) {
                problems.at(i)
                        .at("maxMessageSizeBytes")
                        .add(largest + " must not be above a quarter of store.segmentBytes, which is "
                                + store.maxMessageSizeBytes());
            }
        }
    }
}
