package dev.avocet.server.broker.endpoint;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an endpoint is that is a configuration object.
 *
 * @param enabled whether it should accept connections
 * @param address where it does; null when it does not
 * @param protocols what is spoken there, as it is written in the startup file
 * @param encrypted whether it speaks TLS
 * @param problem why it does not although it should; null when all is well
 */
public record EndpointState(
        String name,
        boolean enabled,
        @Nullable InetSocketAddress address,
        List<String> protocols,
        boolean encrypted,
        @Nullable String problem) {
    public EndpointState {
        protocols = List.copyOf(protocols);
    }
}
