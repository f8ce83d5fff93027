package dev.avocet.server.broker;

import dev.avocet.server.store.StoreMonitor;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A broker that serves clients until it is closed. */
public interface RunningBroker extends AutoCloseable {
    /** Where it really listens, in the order of the configured endpoints; a configured port 0 has become a real one. */
    List<InetSocketAddress> endpoints();

    /** The broker's own metrics; bound once, after the start, and read by the admin threads. */
    default List<MeterBinder> meters() {
        return List.of();
    }

    /** The store, for whoever watches it; null when nothing is kept on disk. */
    default @Nullable StoreMonitor store() {
        return null;
    }

    /**
     * Stops accepting, disconnects the clients, and returns when both are done or a few seconds have passed. Called once, from any
     * thread but the broker's own.
     */
    @Override
    void close();
}
