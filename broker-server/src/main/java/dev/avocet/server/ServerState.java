package dev.avocet.server;

import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.server.admin.Health;
import dev.avocet.server.admin.Health.Status;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.endpoint.EndpointState;
import dev.avocet.server.config.StoreConfig;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.process.HostAndPort;
import dev.avocet.server.process.Version;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.server.store.StoreMonitor;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How the process is, for those who ask. Any thread. */
final class ServerState implements ProcessFacts {
    private final AtomicReference<Status> status = new AtomicReference<>(Status.STARTING);
    private final StoreConfig storeConfig;
    private volatile @Nullable ConfigurationStore objects;
    private volatile @Nullable ServedInstance instance;
    private volatile @Nullable PairReport pair;

    ServerState(StoreConfig storeConfig) {
        this.storeConfig = storeConfig;
    }

    void configuredBy(ConfigurationStore configured) {
        objects = configured;
    }

    void servedBy(ServedInstance served) {
        instance = served;
    }

    void memberOf(PairReport reported) {
        pair = reported;
    }

    /** The start is over. */
    void running() {
        status.compareAndSet(Status.STARTING, Status.RUNNING);
    }

    boolean isRunning() {
        return status.get() == Status.RUNNING;
    }

    boolean isStopping() {
        return status.get() == Status.STOPPING;
    }

    void stopping() {
        status.updateAndGet(now -> now == Status.STORE_FAILED ? now : Status.STOPPING);
    }

    /** @return true the first time */
    boolean storeFailed() {
        return status.getAndSet(Status.STORE_FAILED) != Status.STORE_FAILED;
    }

    boolean isMaintenance() {
        ConfigurationStore configured = objects;
        return configured != null
                && configured.current().single(Singletons.class).isMaintenance();
    }

    /** Where clients are served. */
    List<InetSocketAddress> endpoints() {
        RunningBroker running = broker();
        if (running == null) {
            return List.of();
        }
        return Stream.concat(
                        running.endpoints().stream(),
                        running.objectEndpoints().stream()
                                .map(EndpointState::address)
                                .filter(Objects::nonNull))
                .toList();
    }

    @Override
    public Health health() {
        Status now = status();
        List<String> addresses = endpoints().stream().map(HostAndPort::show).toList();
        StoreHealth storeHealth = storeHealth();
        PairReport reported = pair;
        return new Health(
                now,
                Version.text(),
                uptimeMs(),
                addresses,
                now == Status.STORE_FAILED ? storeHealth.inFailure() : storeHealth,
                reported == null ? null : reported.health());
    }

    @Override
    public List<String> problems() {
        PairReport reported = pair;
        return new Readiness(status(), storeHealth(), endpoints(), broker(), reported == null ? "" : reported.whyNot())
                .problems();
    }

    static long uptimeMs() {
        return ManagementFactory.getRuntimeMXBean().getUptime();
    }

    private @Nullable RunningBroker broker() {
        ServedInstance served = instance;
        return served == null ? null : served.present();
    }

    private Status status() {
        Status now = status.get();
        PairReport reported = pair;
        if (now == Status.RUNNING && reported != null && broker() == null) {
            return Status.STANDBY;
        }
        return now == Status.RUNNING && isMaintenance() ? Status.MAINTENANCE : now;
    }

    private StoreHealth storeHealth() {
        String mode = storeConfig.mode().toString();
        if (!storeConfig.isDurable()) {
            return StoreHealth.ofMemory(mode);
        }
        RunningBroker running = broker();
        StoreMonitor watched = running == null ? null : running.store();
        return watched == null ? StoreHealth.opening(mode) : StoreHealth.of(mode, watched.figures());
    }
}
