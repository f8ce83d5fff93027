package dev.avocet.server.broker.endpoint;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.endpoint.EndpointListener;
import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.objects.ConfigurationListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints of the startup file: they listen as long as the broker runs, but for maintenance mode. Of the thread
 * that starts the broker and then of the {@code configuration} thread; {@link #listeners} may be asked by any.
 */
public final class StartupEndpoints implements ConfigurationListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StartupEndpoints.class);

    private final List<EndpointConfig> configured;
    private final Binder binder;
    private final List<EndpointListener> listeners = new CopyOnWriteArrayList<>();

    public StartupEndpoints(List<EndpointConfig> configured, Binder binder) {
        this.configured = List.copyOf(configured);
        this.binder = binder;
    }

    /** Those that listen, in the order of the startup file. */
    public List<EndpointListener> listeners() {
        return listeners;
    }

    /** All of them listen when it returns. */
    public void listen() throws CannotListenException {
        for (EndpointConfig endpoint : configured) {
            try {
                listeners.add(binder.bind(endpoint));
            } catch (IOException e) {
                throw new CannotListenException(
                        "endpoint '" + endpoint.name() + "'", endpoint.host() + ":" + endpoint.port(), e);
            }
        }
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        if (after.single(Singletons.class).isMaintenance()) {
            close();
        } else if (listeners.isEmpty()) {
            listenAgain();
        }
    }

    /** One that cannot listen does not keep the others from it. */
    private void listenAgain() {
        for (EndpointConfig endpoint : configured) {
            try {
                listeners.add(binder.bind(endpoint));
            } catch (IOException e) {
                LOG.error(
                        "Endpoint '{}' accepts no connections: {}:{}: {}; restart the broker when that is mended",
                        endpoint.name(),
                        endpoint.host(),
                        endpoint.port(),
                        CannotListenException.reason(e));
            }
        }
    }

    @Override
    public void close() {
        listeners.forEach(EndpointListener::close);
        listeners.clear();
    }

    /** Begins to listen. */
    @FunctionalInterface
    public interface Binder {
        EndpointListener bind(EndpointConfig endpoint) throws IOException;
    }
}
