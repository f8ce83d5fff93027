package dev.avocet.server.broker;

import dev.avocet.core.endpoint.ConnectionGuard;
import dev.avocet.core.endpoint.EventLoops;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.endpoint.OutputLease;
import dev.avocet.core.endpoint.Transport;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.loop.MemoryLevel;
import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.core.time.Clock;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.options.CoreOptions;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.broker.store.StoreOpening;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What lives as long as the process, whatever instances come and go: the threads of the event loops, the bounds of
 * memory and of connections, which hold for all instances together. Any thread.
 */
public final class BrokerProcess implements InstanceOpener {
    private final Storage storage;
    private final Clock clock;
    private final MemoryGuard memory;
    private final EventLoops threads;
    private final ConnectionGuard connections;
    private final List<BrokerInstance> instances = new CopyOnWriteArrayList<>();
    private final HeapSampler sampler;

    private BrokerProcess(ServerConfig config, Storage storage, Clock clock) {
        this.storage = storage;
        this.clock = clock;
        this.memory = new MemoryGuard(CoreOptions.memory(config.limits()));
        this.threads = new EventLoops(config.transport(), ioThreads(config));
        this.connections = new ConnectionGuard(CoreOptions.connections(config.limits()), memory, clock);
        this.sampler =
                new HeapSampler(new JvmHeap(), HeapTenant.ofAll(this::tenants), memory, this::tellMemoryLevel, clock);
    }

    /**
     * Starts the threads.
     *
     * @throws CannotListenException when the transport does not work on this machine
     */
    public static BrokerProcess start(ServerConfig config) throws CannotListenException {
        return start(config, new DiskStorage(), BrokerInstance.CLOCK);
    }

    static BrokerProcess start(ServerConfig config, Storage storage, Clock clock) throws CannotListenException {
        Transport transport = config.transport();
        if (!transport.isAvailable()) {
            throw new CannotListenException(
                    "transport '" + config.transport() + "'",
                    "this machine",
                    new IOException("its native library does not load here; use 'auto'"));
        }
        return new BrokerProcess(config, storage, clock);
    }

    @Override
    public RunningBroker open(InstancePlan plan)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        return open(plan, () -> {});
    }

    /** @param afterwards runs when the instance is closed, or could not be opened */
    RunningBroker open(InstancePlan plan, Runnable afterwards)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        return BrokerInstance.open(plan, this, afterwards);
    }

    @Override
    public Redirection redirect(
            InstancePlan plan, ConfigurationStore objects, boolean objectsListen, Elsewhere elsewhere)
            throws CannotListenException, CannotSecureException, ConfigurationStoreException {
        return RedirectingEndpoints.open(plan, this, objects, objectsListen, elsewhere);
    }

    @Override
    public StoreFiles storeOf(ServerConfig config, Path dataDirectory) {
        return new StoreOpening(config.store(), dataDirectory, storage).files();
    }

    @Override
    public List<MeterBinder> meters() {
        List<MeterBinder> all = new ArrayList<>();
        all.add(new NettyEventExecutorMetrics(threads.executors()));
        if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider allocator) {
            all.add(new NettyAllocatorMetrics(allocator));
        }
        return all;
    }

    @Override
    public void close() {
        sampler.close();
        threads.close();
    }

    Storage storage() {
        return storage;
    }

    Clock clock() {
        return clock;
    }

    MemoryGuard memory() {
        return memory;
    }

    ConnectionGuard connections() {
        return connections;
    }

    /** The event loops for one more instance. */
    LoopGroup newLoops(OutputLease lease) {
        return new LoopGroup(threads, clock, memory, lease);
    }

    /** What the instance takes of the heap counts from now on. */
    void entered(BrokerInstance instance) {
        instances.add(instance);
        sampler.rebase();
    }

    /** The instance serves clients; before the first one does, nothing is refused for want of memory. */
    void serving() {
        sampler.start();
    }

    void left(BrokerInstance instance) {
        instances.remove(instance);
    }

    private List<HeapTenant> tenants() {
        return instances.stream()
                .map(instance -> HeapTenant.of(instance.broker()))
                .toList();
    }

    private void tellMemoryLevel(MemoryLevel level, double freePercent) {
        instances.forEach(instance -> instance.memoryLevel(level, freePercent));
    }

    private static int ioThreads(ServerConfig config) {
        return config.ioThreads() > 0
                ? config.ioThreads()
                : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
