package dev.avocet.server.monitor;

import dev.avocet.core.metrics.Counter;
import dev.avocet.core.metrics.EndpointFigures;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint, for the monitor.
 *
 * @param enabled whether it should accept connections
 * @param address where it does; null when it does not
 * @param problem why it does not although it should; null when all is well
 * @param configuredAtMs when it began to listen as it does, or was made, in milliseconds since 1970
 * @param countedSinceMs when its figures were 0
 */
public record EndpointFacts(
        String name,
        boolean enabled,
        @Nullable InetSocketAddress address,
        @Nullable String problem,
        long configuredAtMs,
        long countedSinceMs,
        EndpointFigures figures) {
    /** A figure of it. */
    public long get(Counter counter) {
        return figures.get(counter);
    }
}
