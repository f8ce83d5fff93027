package dev.avocet.server.config;

import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;

/** The HTTP end point for health checks and metrics. */
public record AdminConfig(
        @Doc("Whether there is one.") boolean enabled,
        @Doc("The address to listen on.") String host,

        @Doc("The TCP port to listen on; 0 lets the operating system choose one, which is printed at start.")
        @Range(min = 0, max = 65_535)
        int port,

        @Doc("Listen even though others can reach the address. Every machine that reaches it sees the metrics.")
        boolean allowInsecure,

        @Doc("Whether the metrics are JMX beans of the domain `avocet` as well, for tools that read those.")
        boolean jmx)
        implements Constrained {
    /** On. */
    public static final boolean DEFAULT_ENABLED = true;
    /** Loopback, because it asks for no password. */
    public static final String DEFAULT_HOST = "127.0.0.1";
    /** Free of the ports that common services use. */
    public static final int DEFAULT_PORT = 9089;
    /** Safe unless asked otherwise. */
    public static final boolean DEFAULT_ALLOW_INSECURE = false;

    /** Each bean takes memory, and few look at them. */
    public static final boolean DEFAULT_JMX = false;

    /** What applies where nothing is configured. */
    public static AdminConfig defaults() {
        return new AdminConfig(DEFAULT_ENABLED, DEFAULT_HOST, DEFAULT_PORT, DEFAULT_ALLOW_INSECURE, DEFAULT_JMX);
    }

    /** The same on another address. */
    public AdminConfig listeningOn(String newHost, int newPort) {
        return new AdminConfig(true, newHost, newPort, allowInsecure, jmx);
    }

    /** The same, switched off. */
    public AdminConfig off() {
        return new AdminConfig(false, host, port, allowInsecure, jmx);
    }

    /** The same with {@code allowInsecure} set. */
    public AdminConfig insecure() {
        return new AdminConfig(enabled, host, port, true, jmx);
    }

    @Override
    public void check(Problems problems) {
        EndpointConfig.checkHost(host, problems);
        if (enabled && !allowInsecure && EndpointConfig.isExposed(host)) {
            problems.at("host")
                    .add("'" + host + "' can be reached by others, and the admin end point asks for no password;"
                            + " use 127.0.0.1, or set allowInsecure (or --allow-insecure)");
        }
    }
}
