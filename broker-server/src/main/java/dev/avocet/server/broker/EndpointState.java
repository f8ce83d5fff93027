package dev.avocet.server.broker;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How an endpoint is that is a configuration object.
 *
 * @param enabled whether it should accept connections
 * @param address where it does; null when it does not
 * @param encrypted whether it speaks TLS
 * @param problem why it does not although it should; null when all is well
 */
public record EndpointState(
        String name,
        boolean enabled,
        @Nullable InetSocketAddress address,
        boolean encrypted,
        @Nullable String problem) {}
