package dev.avocet.server.broker;

import io.micrometer.core.instrument.binder.MeterBinder;
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
    RunningBroker open(InstancePlan plan)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException;

    /** Metrics of what the instances share; bound once. */
    default List<MeterBinder> meters() {
        return List.of();
    }

    /** Ends what the instances share. They are closed by then. */
    @Override
    default void close() {}
}
