package dev.avocet.server;

import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.endpoint.OutputLease;
import dev.avocet.core.store.image.StoreTerm;
import dev.avocet.core.tls.ticket.TicketSource;
import dev.avocet.server.broker.InstanceOpener;
import dev.avocet.server.broker.InstancePlan;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.broker.store.StoreFailureListener;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.StartException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The instance by which this process serves clients. It may be closed and opened again; the administration goes on
 * meanwhile, and is told. Opened and closed by one thread at a time; any thread may ask.
 */
final class ServedInstance implements AutoCloseable {
    private final InstanceOpener opener;
    private final Launch launch;
    private final ConfigurationStore objects;
    private final StoreFailureListener onStoreFailed;
    private final Consumer<@Nullable RunningBroker> administration;
    private volatile @Nullable RunningBroker present;

    /**
     * @param administration hears of the instance when it is open, and of null before it is closed
     */
    ServedInstance(
            InstanceOpener opener,
            Launch launch,
            ConfigurationStore objects,
            StoreFailureListener onStoreFailed,
            Consumer<@Nullable RunningBroker> administration) {
        this.opener = opener;
        this.launch = launch;
        this.objects = objects;
        this.onStoreFailed = onStoreFailed;
        this.administration = administration;
    }

    /** Null while there is none. */
    @Nullable RunningBroker present() {
        return present;
    }

    /**
     * Returns when clients can connect. When that cannot be, nothing is left of the instance.
     *
     * @param term in which this node serves for a pair; null when it is alone
     * @param lease under which it sends to its clients
     * @param tickets gives the keys of session tickets to endpoints
     */
    RunningBroker open(@Nullable StoreTerm term, OutputLease lease, TicketSource tickets)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException, StartException {
        boolean listens = !objects.current().single(Singletons.class).isMaintenance();
        RunningBroker opened = opener.open(new InstancePlan(
                launch.config(), launch.dataDirectory(), listens, onStoreFailed, term, lease, tickets));
        try {
            opened.attach(objects, launch.objectsListen());
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
