package dev.avocet.server.broker;

import dev.avocet.core.store.StoreFiles;
import dev.avocet.server.config.ServerConfig;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens broker instances within a process, any number of times. Instances that are open at the same time need data
 * directories of their own. Any thread.
 */
@FunctionalInterface
public interface InstanceOpener extends AutoCloseable {
    /**
     * Returns once every endpoint listens. When one cannot, nothing is left of the instance.
     *
     * @throws CannotListenException when an address cannot be bound
     * @throws CannotOpenStoreException when what is stored cannot be read
     * @throws CannotSecureException when users or certificates cannot be read
     */
    RunningBroker open(InstancePlan plan) throws CannotListenException, CannotOpenStoreException, CannotSecureException;

    /** The store of an instance that is not open, for a node that follows another one. */
    default StoreFiles storeOf(ServerConfig config, Path dataDirectory) {
        throw new UnsupportedOperationException("this process keeps nothing on disk");
    }

    /** Metrics of what the instances share; bound once. */
    default List<MeterBinder> meters() {
        return List.of();
    }

    /** Ends what the instances share. They are closed by then. */
    @Override
    default void close() {}
}
