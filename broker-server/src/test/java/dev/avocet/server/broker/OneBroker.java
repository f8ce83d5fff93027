package dev.avocet.server.broker;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.broker.store.StoreFailureListener;
import dev.avocet.server.config.ServerConfig;
import java.nio.file.Path;

/** A broker in a process of its own, for tests that need no second one. */
public final class OneBroker {
    private OneBroker() {}

    /** Over the disk of this machine. */
    public static RunningBroker start(ServerConfig config, Path dataDirectory, StoreFailureListener onStoreFailed)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        return start(config, dataDirectory, new DiskStorage(), onStoreFailed);
    }

    /** Ends its process when it is closed. */
    public static RunningBroker start(
            ServerConfig config, Path dataDirectory, Storage storage, StoreFailureListener onStoreFailed)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        BrokerProcess process = BrokerProcess.start(config, storage, BrokerInstance.CLOCK);
        return process.open(new InstancePlan(config, dataDirectory, true, onStoreFailed), process::close);
    }
}
