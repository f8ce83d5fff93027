package dev.avocet.server.broker;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.messaging.TopicMonitor;
import dev.avocet.core.config.object.security.LoginSource;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.loop.MemoryLevel;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.security.provider.LoginChain;
import dev.avocet.core.session.DisconnectCause;
import dev.avocet.core.store.Store;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.trace.LiveTrace;
import dev.avocet.server.broker.content.ClientAdministration;
import dev.avocet.server.broker.content.ClientSets;
import dev.avocet.server.broker.content.ConnectionFacts;
import dev.avocet.server.broker.content.QueueAdministration;
import dev.avocet.server.broker.content.RetainedMessageAdministration;
import dev.avocet.server.broker.content.TransactionAdministration;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.endpoint.EndpointState;
import dev.avocet.server.broker.endpoint.WebSocketEndpoint;
import dev.avocet.server.broker.options.BrokerValues;
import dev.avocet.server.broker.options.ConfigurationUse;
import dev.avocet.server.broker.options.CoreOptions;
import dev.avocet.server.broker.options.PolicyReleases;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.broker.store.OpenStore;
import dev.avocet.server.broker.store.StoreEvents;
import dev.avocet.server.broker.store.StoreOpening;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.logging.Tracing;
import dev.avocet.server.monitor.EndpointFacts;
import dev.avocet.server.monitor.Monitor;
import dev.avocet.server.monitor.StoreFacts;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.store.StoreLocation;
import dev.avocet.server.store.StoreMeters;
import dev.avocet.server.store.StoreMonitor;
import dev.avocet.server.system.SystemTopics;
import dev.avocet.server.transfer.ClientSetTransfers;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A broker over one store, with all that serves its clients. Nothing of it is left in the process once it is closed,
 * and another one may be opened over the same store then. Opened and closed by threads of the process, one at a time.
 */
final class BrokerInstance implements RunningBroker {
    static final Clock CLOCK = new SystemClock();

    private static final String TRACE_FOLDER = "trace";

    private final BrokerProcess process;
    private final LoopGroup loops;
    private final @Nullable Store store;
    private final Broker broker;
    private final SystemTopics systemTopics;
    private final BrokerSecurity security;
    private final Monitor monitor;
    private final BrokerValues values;
    private final InstanceEndpoints endpoints;
    private final ClientAdministration clients;
    private final TransactionAdministration transactions;
    private final QueueAdministration queues;
    private final RetainedMessageAdministration retained;
    private final Tracing tracing;
    private final UploadedFiles files;
    private final @Nullable ClientSetTransfers transfers;
    private final Runnable afterwards;
    private volatile @Nullable ConfigurationUse configurationUse;
    private volatile @Nullable PolicyReleases policyReleases;

    private BrokerInstance(
            InstancePlan plan,
            BrokerProcess process,
            LoopGroup loops,
            @Nullable Store store,
            BrokerSecurity security,
            Runnable afterwards) {
        ServerConfig config = plan.config();
        Path dataDirectory = plan.dataDirectory();
        this.process = process;
        this.files = UploadedFiles.of(dataDirectory);
        this.loops = loops;
        this.store = store;
        this.afterwards = afterwards;
        this.broker =
                new Broker(CoreOptions.broker(config), CoreOptions.transactions(config.limits()), loops.loops(), store);
        this.clients = new ClientAdministration(broker);
        this.transactions = new TransactionAdministration(broker);
        this.queues = new QueueAdministration(broker);
        this.retained = new RetainedMessageAdministration(broker);
        this.transfers = store == null
                ? null
                : new ClientSetTransfers(
                        store,
                        broker.storedParts(),
                        new ClientSets(broker, clients, retained)::sessionIds,
                        process.clock());
        this.security = security;
        this.tracing = new Tracing(broker, dataDirectory.resolve(TRACE_FOLDER), process.clock());
        this.monitor = new Monitor(
                broker,
                process.memory(),
                this::endpointFacts,
                new StoreFacts(
                        config.store().mode().toString(),
                        store(),
                        StoreLocation.of(config.store(), dataDirectory).directory(),
                        CoreOptions.payloadCacheBytes(config.store())),
                process.clock());
        this.systemTopics = new SystemTopics(
                broker,
                process.memory(),
                store(),
                CoreOptions.identity(config),
                config.mqtt().disconnectedClientNotificationSeconds(),
                monitor,
                process.clock());
        this.values = new BrokerValues(config, broker, process.connections(), systemTopics);
        this.endpoints = new InstanceEndpoints(
                config,
                broker,
                loops,
                process.connections(),
                security,
                values::mqttOptions,
                this::closeConnections,
                files.folder(),
                process.clock(),
                null);
    }

    /** @param afterwards runs when the instance is closed, or could not be opened */
    static BrokerInstance open(InstancePlan plan, BrokerProcess process, Runnable afterwards)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException {
        BrokerInstance opened = recover(plan, process, afterwards);
        try {
            opened.restore();
            if (plan.listens()) {
                opened.endpoints.listen();
            }
        } catch (JournalException e) {
            opened.close();
            throw new CannotOpenStoreException(plan.dataDirectory(), e);
        } catch (CannotListenException | RuntimeException e) {
            opened.close();
            throw e;
        }
        process.serving();
        opened.monitor.start();
        opened.systemTopics.start();
        return opened;
    }

    /** With its store open, and nothing restored from it. */
    private static BrokerInstance recover(InstancePlan plan, BrokerProcess process, Runnable afterwards)
            throws CannotOpenStoreException, CannotSecureException {
        LoopGroup loops = process.newLoops(plan.lease());
        BrokerSecurity security = null;
        try {
            ServerConfig config = plan.config();
            security = BrokerSecurity.open(
                    config.security(), config.endpoints(), plan.dataDirectory(), plan.tickets(), process.clock());
            StoreEvents events = new StoreEvents(plan.onStoreFailed());
            Store store = new StoreOpening(config.store(), plan.dataDirectory(), process.storage())
                    .open(plan.term(), process.memory(), process.clock(), loops.loops(), events);
            BrokerInstance opened = new BrokerInstance(plan, process, loops, store, security, afterwards);
            events.tell(opened.systemTopics.notices());
            process.entered(opened);
            return opened;
        } catch (CannotOpenStoreException | CannotSecureException | RuntimeException e) {
            loops.close();
            if (security != null) {
                security.close();
            }
            afterwards.run();
            throw e;
        }
    }

    Broker broker() {
        return broker;
    }

    /** The process has more or less memory. Any thread. */
    void memoryLevel(MemoryLevel level, double freePercent) {
        systemTopics.notices().memoryLevel(level, freePercent);
    }

    @Override
    public List<InetSocketAddress> endpoints() {
        return endpoints.ofStartupFile();
    }

    @Override
    public List<MeterBinder> meters() {
        StoreMonitor watched = store();
        List<MeterBinder> all =
                new ArrayList<>(List.of(new BrokerMeters(broker, process.memory()), security, monitor.meters()));
        if (watched != null) {
            all.add(new StoreMeters(watched, process.clock()));
        }
        return all;
    }

    @Override
    public void attach(ConfigurationStore objects, boolean listen) throws ConfigurationStoreException {
        LiveUse use = LiveUse.either(
                LiveUse.either(broker.subscriptions().policies(), broker.administered()), broker.queues());
        PolicyReleases releases = new PolicyReleases(objects, use);
        policyReleases = releases;
        broker.subscriptions().policies().onReleased(releases::released);
        ConfigurationUse following = new ConfigurationUse(objects, use);
        configurationUse = following;
        following.follow(tracing);
        following.follow(values);
        following.follow((before, after) -> broker.applyPolicies(after));
        following.follow((before, after) -> watchTopics(after));
        following.follow((before, after) -> broker.administered().apply(after));
        following.follow((before, after) -> queues.apply(after));
        following.follow(releases);
        following.follow(security.certificates());
        following.follow(security.tokens());
        following.follow(security.ltpaTokens());
        following.follow(security.directory()); // both before the endpoints, whose clients it knows
        endpoints.follow(following, listen);
    }

    @Override
    public @Nullable EndpointPolicies policies(String endpoint) {
        return endpoints.policies(endpoint);
    }

    @Override
    public List<WebSocketEndpoint> webSocketEndpoints() {
        return endpoints.forWebSocket();
    }

    @Override
    public List<EndpointState> objectEndpoints() {
        return endpoints.ofObjects();
    }

    @Override
    public Monitor monitor() {
        return monitor;
    }

    @Override
    public boolean fips() {
        return security.fips();
    }

    @Override
    public LoginChain logins(Set<LoginSource> sources, String tokenProfile) {
        return security.chain(sources, tokenProfile);
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
        return LoopWork.onEach(
                broker.loops(),
                loop -> broker.sessions()
                        .disconnectIf(loop, (session, client) -> unwanted.test(ConnectionFacts.of(session, client))));
    }

    @Override
    public Runnable trace(LiveTrace trace) {
        broker.trace(trace);
        return () -> broker.endTrace(trace);
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
        return watched == null ? null : new OpenStore(watched);
    }

    @Override
    public void close() {
        ConfigurationUse following = configurationUse;
        if (following != null) {
            following.close(); // first, so that no change comes while it closes
        }
        endpoints.close();
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
        loops.close();
        process.left(this);
        security.close();
        tracing.close();
        afterwards.run();
    }

    private void restore() throws JournalException {
        if (store != null) {
            store.restoreInto(broker.storedParts());
        }
    }

    private void watchTopics(Configuration configuration) {
        List<String> filters = configuration.all(TopicMonitor.class).stream()
                .map(TopicMonitor::name)
                .toList();
        broker.monitors().watch(filters, process.clock().wallTimeMs());
    }

    private List<EndpointFacts> endpointFacts() {
        return endpoints.facts();
    }

    private void disconnectClients() {
        int unused = LoopWork.onEach(
                broker.loops(),
                loop -> broker.sessions()
                        .disconnectAll(loop, DisconnectCause.SHUTTING_DOWN)
                        .thenApply(done -> 0));
    }
}
