package dev.avocet.server.broker;

import dev.avocet.core.journal.DiskStorage;
import dev.avocet.server.config.ServerConfig;
import java.nio.file.Path;

/** Starts the real broker. */
public final class Wiring implements BrokerStarter {
    @Override
    public RunningBroker start(ServerConfig config, Path dataDirectory, StoreFailureListener onStoreFailed)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        return MessagingBroker.start(config, dataDirectory, new DiskStorage(), true, onStoreFailed);
    }

    @Override
    public RunningBroker startInMaintenance(ServerConfig config, Path dataDirectory, StoreFailureListener onStoreFailed)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        return MessagingBroker.start(config, dataDirectory, new DiskStorage(), false, onStoreFailed);
    }
}
