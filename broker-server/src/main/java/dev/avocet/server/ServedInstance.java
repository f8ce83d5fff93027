package dev.avocet.server;

import dev.avocet.core.config.object.Singletons;
import dev.avocet.server.broker.CannotListenException;
import dev.avocet.server.broker.CannotOpenStoreException;
import dev.avocet.server.broker.CannotSecureException;
import dev.avocet.server.broker.InstanceOpener;
import dev.avocet.server.broker.InstancePlan;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.StoreFailureListener;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The instance by which this process serves clients. It may be closed and opened again; the administration goes on
 * meanwhile, and is told. Opened and closed by one thread at a time; any thread may ask.
 */
final class ServedInstance implements AutoCloseable {
    private final InstanceOpener opener;
    private final ServerConfig config;
    private final Path dataDirectory;
    private final ConfigurationStore objects;
    private final boolean objectsListen;
    private final StoreFailureListener onStoreFailed;
    private final Consumer<@Nullable RunningBroker> administration;
    private volatile @Nullable RunningBroker present;

    /**
     * @param objectsListen whether endpoints that are configuration objects serve clients
     * @param administration hears of the instance when it is open, and of null before it is closed
     */
    ServedInstance(
            InstanceOpener opener,
            ServerConfig config,
            Path dataDirectory,
            ConfigurationStore objects,
            boolean objectsListen,
            StoreFailureListener onStoreFailed,
            Consumer<@Nullable RunningBroker> administration) {
        this.opener = opener;
        this.config = config;
        this.dataDirectory = dataDirectory;
        this.objects = objects;
        this.objectsListen = objectsListen;
        this.onStoreFailed = onStoreFailed;
        this.administration = administration;
    }

    /** Null while there is none. */
    @Nullable RunningBroker present() {
        return present;
    }

    /** Returns when clients can connect. When that cannot be, nothing is left of the instance. */
    RunningBroker open() throws CannotListenException, CannotOpenStoreException, CannotSecureException, StartException {
        boolean listens = !objects.current().single(Singletons.class).isMaintenance();
        RunningBroker opened = opener.open(new InstancePlan(config, dataDirectory, listens, onStoreFailed));
        try {
            opened.attach(objects, objectsListen);
        } catch (ConfigurationStoreException e) {
            opened.close();
            throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
        present = opened;
        administration.accept(opened);
        return opened;
    }

    /** Returns when the store is closed. Does nothing where there is no instance. */
    @Override
    public void close() {
        RunningBroker closing = present;
        if (closing != null) {
            administration.accept(null);
            closing.close();
            present = null;
        }
    }
}
