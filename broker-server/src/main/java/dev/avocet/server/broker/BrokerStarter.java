package dev.avocet.server.broker;

import dev.avocet.server.config.ServerConfig;
import java.nio.file.Path;

/** Starts the messaging broker that a configuration describes. */
@FunctionalInterface
public interface BrokerStarter {
    /**
     * Returns once every endpoint listens. When one cannot, nothing is left running.
     *
     * @param config has been found valid
     * @param dataDirectory exists, and is locked for this process
     * @param onStoreFailed hears, from any thread, when the store fails later
     * @throws CannotListenException when an address cannot be bound
     * @throws CannotOpenStoreException when what is stored cannot be read
     * @throws CannotSecureException when users or certificates cannot be read
     */
    RunningBroker start(ServerConfig config, Path dataDirectory, StoreFailureListener onStoreFailed)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException;

    /**
     * The same for a broker in maintenance mode: no endpoint listens before the configuration that is
     * {@linkplain RunningBroker#attach attached} says that the mode is over.
     */
    default RunningBroker startInMaintenance(
            ServerConfig config, Path dataDirectory, StoreFailureListener onStoreFailed)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        return start(config, dataDirectory, onStoreFailed);
    }
}
