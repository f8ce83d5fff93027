package dev.avocet.server.broker;

import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
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

    /**
     * Opens the endpoints of an instance without the instance: each client is told where another broker is, and nothing
     * is kept of it. To be closed before the instance itself is opened.
     *
     * @param objectsListen whether endpoints that are objects listen
     * @throws CannotListenException when an address of the startup file cannot be bound
     * @throws CannotSecureException when users or certificates cannot be read
     * @throws ConfigurationStoreException when that store is closed already
     */
    default Redirection redirect(
            InstancePlan plan, ConfigurationStore objects, boolean objectsListen, Elsewhere elsewhere)
            throws CannotListenException, CannotSecureException, ConfigurationStoreException {
        throw new UnsupportedOperationException("this process sends clients nowhere");
    }

    /** Endpoints that send their clients elsewhere, until they are closed. */
    interface Redirection extends AutoCloseable {
        @Override
        void close();
    }

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
