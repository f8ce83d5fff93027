package dev.avocet.server.broker;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.FrontEnd;
import dev.avocet.core.broker.Sending;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.LoginSource;
import dev.avocet.core.config.object.SecurityProfile;
import dev.avocet.core.config.object.TopicMonitor;
import dev.avocet.core.config.value.ServerAddress;
import dev.avocet.core.endpoint.ConnectionGuard;
import dev.avocet.core.endpoint.EndpointListener;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.endpoint.Transport;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Storage;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.security.Authenticator;
import dev.avocet.core.security.LoginChain;
import dev.avocet.core.session.DisconnectCause;
import dev.avocet.core.store.Store;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.jms.connection.AmqpConnections;
import dev.avocet.jms.connection.ContainerIds;
import dev.avocet.jms.frontend.AmqpFrontEnd;
import dev.avocet.mqtt.connection.MqttConnections;
import dev.avocet.mqtt.frontend.MqttFrontEnd;
import dev.avocet.mqtt.frontend.MqttWebSocketFrontEnd;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.logging.Tracing;
import dev.avocet.server.monitor.EndpointFacts;
import dev.avocet.server.monitor.Monitor;
import dev.avocet.server.monitor.StoreFacts;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.store.StoreFigures;
import dev.avocet.server.store.StoreLocation;
import dev.avocet.server.store.StoreMeters;
import dev.avocet.server.store.StoreMonitor;
import dev.avocet.server.system.SystemTopics;
import dev.avocet.server.transfer.ClientSetTransfers;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broker with all its parts, as a configuration describes it. */
final class MessagingBroker implements RunningBroker {
    private static final Logger LOG = LoggerFactory.getLogger(MessagingBroker.class);
    private static final String TRACE_FOLDER = "trace";
    private static final long DISCONNECT_TIMEOUT_S = 3;
    private static final Clock CLOCK = new SystemClock();

    private final ServerConfig config;
    private final MemoryGuard memory;
    private final LoopGroup loops;
    private final @Nullable Store store;
    private final Broker broker;
    private final SystemTopics systemTopics;
    private final HeapSampler sampler;
    private final BrokerSecurity security;
    private final EndpointRegister register = new EndpointRegister(CLOCK);
    private final Monitor monitor;
    private final StartupEndpoints startupEndpoints;
    private final MaintenanceDoor maintenance = new MaintenanceDoor(() -> closeConnections(connection -> true));
    private final ConnectionGuard guard;
    private final BrokerValues values;
    private final ContainerIds jmsContainers = new ContainerIds();
    private final ObjectEndpoints objectEndpoints;
    private final ClientAdministration clients;
    private final TransactionAdministration transactions;
    private final QueueAdministration queues;
    private final RetainedMessageAdministration retained;
    private final Tracing tracing;
    private final UploadedFiles files;
    private final @Nullable ClientSetTransfers transfers;
    private volatile @Nullable PolicyReleases policyReleases;

    private MessagingBroker(
            ServerConfig config,
            MemoryGuard memory,
            LoopGroup loops,
            @Nullable Store store,
            StoreEvents events,
            BrokerSecurity security,
            UploadedFiles files,
            Path dataDirectory) {
        this.config = config;
        this.files = files;
        this.memory = memory;
        this.loops = loops;
        this.store = store;
        this.broker =
                new Broker(CoreOptions.broker(config), CoreOptions.transactions(config.limits()), loops.loops(), store);
        this.clients = new ClientAdministration(broker);
        this.transactions = new TransactionAdministration(broker);
        this.queues = new QueueAdministration(broker);
        this.retained = new RetainedMessageAdministration(broker);
        this.transfers = store == null
                ? null
                : new ClientSetTransfers(
                        store, broker.storedParts(), new ClientSets(broker, clients, retained)::sessionIds, CLOCK);
        this.security = security;
        this.tracing = new Tracing(broker, dataDirectory.resolve(TRACE_FOLDER), CLOCK);
        this.monitor = new Monitor(
                broker,
                memory,
                this::endpointFacts,
                new StoreFacts(
                        config.store().mode().toString(),
                        store(),
                        StoreLocation.of(config.store(), dataDirectory).directory(),
                        CoreOptions.payloadCacheBytes(config.store())),
                CLOCK);
        this.systemTopics = new SystemTopics(
                broker,
                memory,
                store(),
                CoreOptions.identity(config),
                config.mqtt().disconnectedClientNotificationSeconds(),
                monitor,
                CLOCK);
        this.sampler = new HeapSampler(
                new JvmHeap(), HeapTenant.of(broker), memory, systemTopics.notices()::memoryLevel, CLOCK);
        events.tell(systemTopics.notices());
        this.guard = new ConnectionGuard(CoreOptions.connections(config.limits()), memory, CLOCK);
        this.values = new BrokerValues(config, broker, guard, systemTopics);
        this.startupEndpoints = new StartupEndpoints(
                config.endpoints(),
                endpoint -> bind(
                        endpoint,
                        security.authenticator(endpoint),
                        new EndpointPolicies(),
                        Sending.DEFAULT,
                        false,
                        null));
        this.objectEndpoints = new ObjectEndpoints(
                new ObjectBinder(), this::closeConnections, config.endpoints(), config.store(), files.folder());
    }

    static RunningBroker start(
            ServerConfig config, Path dataDirectory, Storage storage, StoreFailureListener onStoreFailed)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        return start(config, dataDirectory, storage, true, onStoreFailed);
    }

    /** @param listens whether the endpoints of the startup file listen at once */
    static RunningBroker start(
            ServerConfig config,
            Path dataDirectory,
            Storage storage,
            boolean listens,
            StoreFailureListener onStoreFailed)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        Transport transport = CoreOptions.transport(config);
        if (!transport.isAvailable()) {
            throw new CannotListenException(
                    "transport '" + config.transport() + "'",
                    "this machine",
                    new IOException("its native library does not load here; use 'auto'"));
        }
        MemoryGuard memory = new MemoryGuard(CoreOptions.memory(config.limits()));
        BrokerSecurity security = BrokerSecurity.open(config.security(), config.endpoints(), dataDirectory, CLOCK);
        LoopGroup loops = new LoopGroup(transport, ioThreads(config), CLOCK, memory);
        MessagingBroker started = open(
                config,
                new StoreOpening(config.store(), dataDirectory, storage),
                dataDirectory,
                memory,
                loops,
                onStoreFailed,
                security,
                UploadedFiles.of(dataDirectory));
        try {
            started.restore();
            if (listens) {
                started.startupEndpoints.listen();
            }
        } catch (JournalException e) {
            started.close();
            throw new CannotOpenStoreException(dataDirectory, e);
        } catch (CannotListenException e) {
            started.close();
            throw e;
        }
        started.sampler.start();
        started.monitor.start();
        started.systemTopics.start();
        return started;
    }

    private static MessagingBroker open(
            ServerConfig config,
            StoreOpening opening,
            Path dataDirectory,
            MemoryGuard memory,
            LoopGroup loops,
            StoreFailureListener onStoreFailed,
            BrokerSecurity security,
            UploadedFiles files)
            throws CannotOpenStoreException {
        try {
            StoreEvents events = new StoreEvents(onStoreFailed);
            Store store = opening.open(memory, CLOCK, loops.loops(), events);
            return new MessagingBroker(config, memory, loops, store, events, security, files, dataDirectory);
        } catch (CannotOpenStoreException | RuntimeException e) {
            loops.close();
            security.close();
            throw e;
        }
    }

    @Override
    public List<InetSocketAddress> endpoints() {
        return startupEndpoints.listeners().stream()
                .map(EndpointListener::address)
                .toList();
    }

    @Override
    public List<MeterBinder> meters() {
        StoreMonitor monitor = store();
        BrokerMeters meters = new BrokerMeters(broker, memory);
        List<MeterBinder> all = new ArrayList<>(List.of(meters, security, this.monitor.meters()));
        all.add(new NettyEventExecutorMetrics(loops.executors()));
        if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider allocator) {
            all.add(new NettyAllocatorMetrics(allocator));
        }
        if (monitor != null) {
            all.add(new StoreMeters(monitor, CLOCK));
        }
        return all;
    }

    @Override
    public void attach(ConfigurationStore objects, boolean listen) throws ConfigurationStoreException {
        LiveUse use = LiveUse.either(
                LiveUse.either(broker.subscriptions().policies(), broker.administered()), broker.queues());
        PolicyReleases releases = new PolicyReleases(objects, use);
        policyReleases = releases;
        objects.liveUse(use);
        broker.subscriptions().policies().onReleased(releases::released);
        objects.addListener(tracing);
        objects.addListener(values);
        objects.addListener((before, after) -> broker.applyPolicies(after));
        objects.addListener((before, after) -> watchTopics(after));
        objects.addListener((before, after) -> broker.administered().apply(after));
        objects.addListener((before, after) -> queues.apply(after));
        objects.addListener(releases);
        objects.addListener(security.certificates());
        objects.addListener(security.directory()); // before the endpoints, whose clients it knows
        objects.addListener(startupEndpoints);
        if (listen) {
            objects.addListener(objectEndpoints);
            objects.addListener((before, after) -> register.retain(endpointFacts()));
        }
        objects.addListener(maintenance); // when no endpoint listens any more
    }

    @Override
    public List<EndpointState> objectEndpoints() {
        return objectEndpoints.states();
    }

    @Override
    public Monitor monitor() {
        return monitor;
    }

    @Override
    public LoginChain logins(Set<LoginSource> sources) {
        return security.chain(sources);
    }

    @Override
    public UploadedFiles files() {
        return files;
    }

    @Override
    public BrokerUsers users() {
        return security.users();
    }

    @Override
    public String serverName() {
        return values.serverName();
    }

    @Override
    public ClientAdministration clients() {
        return clients;
    }

    @Override
    public QueueAdministration queues() {
        return queues;
    }

    @Override
    public RetainedMessageAdministration retained() {
        return retained;
    }

    @Override
    public ClientSets clientSets() {
        return new ClientSets(broker, clients, retained);
    }

    @Override
    public @Nullable ClientSetTransfers transfers() {
        return transfers;
    }

    @Override
    public TransactionAdministration transactions() {
        return transactions;
    }

    @Override
    public int closeConnections(Predicate<ConnectionFacts> unwanted) {
        return onEachLoop(loop -> broker.sessions()
                .disconnectIf(loop, (session, client) -> unwanted.test(ConnectionFacts.of(session, client))));
    }

    @Override
    public void flushTrace() throws IOException {
        tracing.flush();
    }

    @Override
    public byte[] traceEnd(int bytes) throws IOException {
        return tracing.end(bytes);
    }

    @Override
    public @Nullable StoreMonitor store() {
        Store watched = store;
        return watched == null ? null : () -> figures(watched);
    }

    @Override
    public void close() {
        startupEndpoints.close();
        objectEndpoints.close();
        PolicyReleases releases = policyReleases;
        if (releases != null) {
            releases.close();
        }
        monitor.close();
        systemTopics.close();
        if (transfers != null) {
            transfers.close();
        }
        disconnectClients();
        if (store != null) {
            store.close();
        }
        sampler.close();
        loops.close();
        security.close();
        tracing.close();
    }

    private void restore() throws JournalException {
        if (store != null) {
            store.restoreInto(broker.storedParts());
        }
    }

    private static StoreFigures figures(Store store) {
        return new StoreFigures(
                store.acceptsMessages(),
                store.hasFailed(),
                store.pendingBytes(),
                Objects.requireNonNull(store.statistics()),
                Objects.requireNonNull(store.commits()));
    }

    private EndpointListener bind(
            EndpointConfig endpoint,
            Authenticator authenticator,
            EndpointPolicies policies,
            Sending sending,
            boolean about,
            @Nullable ServerAddress redirect)
            throws IOException {
        return EndpointListener.bind(
                CoreOptions.endpoint(endpoint, config.mqtt(), policies, register.opened(endpoint.name()), sending),
                security.tls(endpoint.name()),
                loops,
                guard,
                frontEnds(endpoint, authenticator, about, redirect));
    }

    private List<FrontEnd> frontEnds(
            EndpointConfig endpoint, Authenticator authenticator, boolean about, @Nullable ServerAddress redirect) {
        MqttConnections connections =
                new MqttConnections(broker, CoreOptions.redirecting(values::mqttOptions, redirect), authenticator);
        return endpoint.protocols().stream()
                .map(protocol -> switch (protocol) {
                    case MQTT -> (FrontEnd) new MqttFrontEnd(connections);
                    case WEBSOCKET -> new MqttWebSocketFrontEnd(connections, CoreOptions.webSocket(endpoint, about));
                    case AMQP ->
                        new AmqpFrontEnd(new AmqpConnections(
                                broker, CoreOptions.amqp(config.mqtt(), redirect), authenticator, jmsContainers));
                })
                .toList();
    }

    private void watchTopics(Configuration configuration) {
        List<String> filters = configuration.all(TopicMonitor.class).stream()
                .map(TopicMonitor::name)
                .toList();
        broker.monitors().watch(filters, CLOCK.wallTimeMs());
    }

    /** Those of the startup file first. */
    private List<EndpointFacts> endpointFacts() {
        List<EndpointFacts> facts = new ArrayList<>();
        for (EndpointListener listener : startupEndpoints.listeners()) {
            facts.add(register.facts(listener.options().name(), true, listener.address(), null));
        }
        for (EndpointState state : objectEndpoints.states()) {
            boolean shouldListen = state.enabled() && !maintenance.isShut();
            facts.add(register.facts(state.name(), shouldListen, state.address(), state.problem()));
        }
        return facts;
    }

    private void disconnectClients() {
        int unused = onEachLoop(loop -> {
            broker.sessions().disconnectAll(loop, DisconnectCause.SHUTTING_DOWN);
            return 0;
        });
    }

    /** Adds up what is done on each loop; waits for it no longer than a few seconds. */
    private int onEachLoop(ToIntFunction<IoLoop> work) {
        AtomicInteger sum = new AtomicInteger();
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (IoLoop loop : broker.loops()) {
            done.add(CompletableFuture.runAsync(() -> sum.addAndGet(work.applyAsInt(loop)), loop::execute));
        }
        try {
            CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0]))
                    .orTimeout(DISCONNECT_TIMEOUT_S, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            LOG.debug("Not every loop was done in time", e);
        }
        return sum.get();
    }

    private static int ioThreads(ServerConfig config) {
        return config.ioThreads() > 0
                ? config.ioThreads()
                : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    /** Listens for endpoints that are objects. */
    private final class ObjectBinder implements ObjectEndpoints.Binder {
        @Override
        public EndpointListener bind(ListenPlan plan, EndpointPolicies policies)
                throws IOException, CannotSecureException {
            EndpointConfig endpoint = plan.config();
            SecurityProfile profile = plan.profile();
            TlsOptions tls = plan.tls();
            if (tls != null) {
                security.secure(endpoint.name(), tls);
            }
            try {
                return MessagingBroker.this.bind(
                        endpoint,
                        profile == null ? security.authenticator(endpoint) : security.authenticator(profile),
                        policies,
                        plan.sending(),
                        plan.about(),
                        plan.redirect());
            } catch (IOException e) {
                security.forget(endpoint.name());
                throw e;
            }
        }

        @Override
        public void release(ListenPlan plan) {
            security.forget(plan.config().name());
        }
    }
}
