package dev.avocet.server.broker;

import dev.avocet.core.endpoint.OutputLease;
import dev.avocet.core.store.image.StoreTerm;
import dev.avocet.core.tls.ticket.TicketSource;
import dev.avocet.server.broker.store.StoreFailureListener;
import dev.avocet.server.config.ServerConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a broker instance is opened on.
 *
 * @param config has been found valid
 * @param dataDirectory exists, and is locked for this process
 * @param listens false in maintenance mode: no endpoint listens before the configuration that is
 *     {@linkplain RunningBroker#attach attached} says that the mode is over
 * @param onStoreFailed hears, from any thread, when the store fails later
 * @param term in which this node serves for a pair, with the store that it has followed; null when it is alone
 * @param lease under which it sends to its clients
 * @param tickets gives the keys of session tickets to endpoints
 */
public record InstancePlan(
        ServerConfig config,
        Path dataDirectory,
        boolean listens,
        StoreFailureListener onStoreFailed,
        @Nullable StoreTerm term,
        OutputLease lease,
        TicketSource tickets) {
    /** Of a broker that is alone. */
    public InstancePlan(ServerConfig config, Path dataDirectory, boolean listens, StoreFailureListener onStoreFailed) {
        this(config, dataDirectory, listens, onStoreFailed, null, OutputLease.ALWAYS, TicketSource.OWN);
    }
}
