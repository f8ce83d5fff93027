package dev.avocet.server.system;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.Clock;
import dev.avocet.server.monitor.Monitor;
import dev.avocet.server.store.StoreMonitor;
import dev.avocet.server.system.ResourceStatistics.Report;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the broker publishes about itself: figures every two seconds to the clients that have subscribed to them, and
 * {@link Notices} when something happens. Without a subscription nothing is collected. The log hears of
 * {@link PagedReferences}.
 *
 * <p>Made, started and closed by the broker.
 */
public final class SystemTopics implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemTopics.class);
    private static final long INTERVAL_MS = 2_000;

    private final Clock clock;
    private final Notices notices;
    private final ResourceStatistics statistics;
    private final List<Report> reports;
    private final DisconnectedClients disconnectedClients;
    private final int disconnectedClientsSeconds;
    private final PagedReferences pagedReferences;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "system");
        daemon.setDaemon(true);
        return daemon;
    });

    /**
     * @param store null when nothing is kept on disk
     * @param disconnectedClientsSeconds how long between two reports of what has arrived for clients that are away
     */
    public SystemTopics(
            Broker broker,
            MemoryGuard memory,
            @Nullable StoreMonitor store,
            BrokerIdentity identity,
            int disconnectedClientsSeconds,
            Monitor monitor,
            Clock clock) {
        this.clock = clock;
        this.notices = new Notices(broker, identity.storeMode(), clock);
        this.statistics = new ResourceStatistics(broker, memory, store, identity, monitor, clock);
        this.reports = statistics.reports();
        this.disconnectedClients = new DisconnectedClients(broker, clock);
        this.disconnectedClientsSeconds = disconnectedClientsSeconds;
        this.pagedReferences = new PagedReferences(broker::pagedReferenceBytes, broker::largestQueue);
    }

    public Notices notices() {
        return notices;
    }

    /** What the broker is called from now on. */
    public void serverName(String name) {
        statistics.serverName(name);
    }

    /** Begins to publish figures. The store is complete by now. */
    public void start() {
        var unusedFirst = thread.scheduleAtFixedRate(this::lookAtReferences, 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
        var unused = thread.scheduleAtFixedRate(this::report, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
        var unusedToo = thread.scheduleAtFixedRate(
                this::reportDisconnectedClients,
                disconnectedClientsSeconds,
                disconnectedClientsSeconds,
                TimeUnit.SECONDS);
    }

    /** Ends, after notices have reached the loops; the loops must still run. */
    @Override
    public void close() {
        thread.shutdownNow();
        notices.flush();
    }

    private void reportDisconnectedClients() {
        try {
            disconnectedClients.report();
        } catch (RejectedExecutionException e) {
            return; // the broker stops
        } catch (RuntimeException e) {
            LOG.error("What has arrived for clients that are away could not be published", e);
        }
    }

    private void lookAtReferences() {
        try {
            pagedReferences.look();
        } catch (RejectedExecutionException e) {
            return; // the broker stops
        } catch (RuntimeException e) {
            LOG.error("The queue with most messages could not be looked for", e);
        }
    }

    private void report() {
        for (Report report : reports) {
            try {
                if (report.topic().hasSubscribers()) {
                    var unused = report.topic().publish(report.body().payload(clock.wallTimeMs()));
                }
            } catch (RejectedExecutionException e) {
                return; // the broker stops
            } catch (RuntimeException e) {
                LOG.error(
                        "The figures for {} could not be published",
                        report.topic().name(),
                        e);
            }
        }
    }
}
