package dev.avocet.server.broker.options;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.config.value.ServerAddress;
import dev.avocet.core.endpoint.ConnectionGuard;
import dev.avocet.core.endpoint.EndpointOptions;
import dev.avocet.core.frontend.Sending;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.metrics.EndpointFigures;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.store.StoreOptions;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import dev.avocet.core.transaction.TransactionLimits;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.frontend.AllowedOrigins;
import dev.avocet.mqtt.frontend.WebSocketOptions;
import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.config.LimitsConfig;
import dev.avocet.server.config.MqttConfig;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.config.StoreConfig;
import dev.avocet.server.config.StoreMode;
import dev.avocet.server.system.BrokerIdentity;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the configuration means to the core and to the front ends. */
public final class CoreOptions {
    private static final long NO_LIMIT_SECONDS = 0xFFFF_FFFFL;
    private static final long USUAL_OPEN_FILES = 4_096;
    /** A quarter of the heap for payloads that lie on disk as well: the first to be let go of when memory is short. */
    private static final int HEAP_SHARE = 4;

    private CoreOptions() {}

    public static BrokerOptions broker(ServerConfig config) {
        LimitsConfig limits = config.limits();
        MqttConfig mqtt = config.mqtt();
        return new BrokerOptions(
                new QueueLimits(
                        limits.maxMessages(),
                        limits.maxBufferedBytes(),
                        limits.maxStoredBytes(),
                        limits.fullBehavior()),
                mqtt.deliverOverlapping(),
                mqtt.maxTopicLevels(),
                mqtt.retainedMaxCount(),
                BrokerOptions.DEFAULT.routeCacheCapacity(),
                limits.backpressureMaxMs(),
                limits.neverAcknowledgingMultiple());
    }

    public static TransactionLimits transactions(LimitsConfig limits) {
        return new TransactionLimits(
                limits.maxTransactions(),
                limits.maxTransactionOperations(),
                limits.maxTransactionBytes(),
                limits.maxTransactionBytesTogether(),
                limits.transactionTimeoutSeconds());
    }

    public static MqttOptions mqtt(MqttConfig mqtt) {
        long expiryMaxSeconds =
                mqtt.sessionExpiryMaxSeconds() == null ? NO_LIMIT_SECONDS : mqtt.sessionExpiryMaxSeconds();
        return new MqttOptions(
                mqtt.maxClientIdBytes(),
                mqtt.serverReceiveMaximum(),
                mqtt.outboundWindow(),
                mqtt.topicAliasMaximumIn(),
                mqtt.topicAliasMaximumOut(),
                mqtt.serverKeepAliveMaxSeconds(),
                expiryMaxSeconds,
                Math.min(mqtt.legacySessionExpirySeconds(), expiryMaxSeconds),
                mqtt.maxSubscriptionsPerClient(),
                mqtt.firstPacketMaxBytes(),
                mqtt.stallTimeoutMs(),
                mqtt.responseInformationPrefix(),
                mqtt.allowZeroLengthClientId(),
                mqtt.serverReference() == null
                        ? null
                        : new MqttOptions.Redirect(mqtt.serverReference(), mqtt.redirectPermanently()));
    }

    /** The same with clients sent to another server, if there is one. */
    public static Supplier<MqttOptions> redirecting(Supplier<MqttOptions> options, @Nullable ServerAddress redirect) {
        return redirect == null
                ? options
                : () -> options.get().withRedirect(new MqttOptions.Redirect(redirect.toString(), false));
    }

    /** Clients that stop reading are the same for every protocol. */
    public static AmqpOptions amqp(MqttConfig mqtt, @Nullable ServerAddress redirect) {
        AmqpOptions options = AmqpOptions.DEFAULT.withStallTimeout(mqtt.stallTimeoutMs());
        return redirect == null
                ? options
                : options.withRedirect(new AmqpOptions.Redirect(redirect.host(), redirect.port()));
    }

    public static EndpointOptions endpoint(
            EndpointConfig endpoint,
            MqttConfig mqtt,
            EndpointPolicies policies,
            EndpointFigures figures,
            Sending sending) {
        return new EndpointOptions(
                endpoint.name(),
                endpoint.address(),
                endpoint.maxMessageSizeBytes(),
                mqtt.connectTimeoutMs(),
                EndpointOptions.DEFAULT_BACKLOG,
                policies,
                figures,
                sending,
                endpoint.leniency());
    }

    public static WebSocketOptions webSocket(EndpointConfig endpoint, boolean about) {
        return new WebSocketOptions(null, new AllowedOrigins(Set.copyOf(endpoint.allowedOrigins())), about);
    }

    public static BrokerIdentity identity(ServerConfig config) {
        return new BrokerIdentity(config.serverName(), config.store().mode().toString());
    }

    public static MemoryGuard.Thresholds memory(LimitsConfig limits) {
        return new MemoryGuard.Thresholds(
                limits.heapFreeShrinkCachesPercent(),
                limits.heapFreeRejectMessagesPercent(),
                limits.heapFreeRefuseClientsPercent());
    }

    public static ConnectionGuard.Limits connections(LimitsConfig limits) {
        return connections(limits, limits.maxConnections(), limits.connectionsPerSecond());
    }

    /** With other numbers than the startup file says. */
    static ConnectionGuard.Limits connections(LimitsConfig limits, int maxConnections, int connectionsPerSecond) {
        ConnectionGuard.Limits possible = ConnectionGuard.Limits.ofOpenFiles(maxOpenFiles());
        int most = maxConnections == 0 ? possible.maxConnections() : maxConnections;
        int unaccepted =
                limits.maxUnacceptedConnections() == 0 ? Math.max(64, most / 2) : limits.maxUnacceptedConnections();
        return new ConnectionGuard.Limits(most, unaccepted, connectionsPerSecond);
    }

    public static StoreOptions store(StoreConfig store, Path directory) {
        JournalLimits limits = JournalLimits.DEFAULT;
        ReclaimSettings reclaim = ReclaimSettings.DEFAULT;
        return new StoreOptions(
                directory,
                store.mode() == StoreMode.OS ? CommitMode.OS : CommitMode.SYNC,
                payloadCacheBytes(store),
                new JournalLimits(
                        store.diskFreeMinBytes(),
                        store.diskFreeMinPercent(),
                        limits.spaceCheckInterval(),
                        limits.closeTimeout()),
                new ReclaimSettings(
                        Duration.ofSeconds(store.checkpointIntervalSeconds()),
                        reclaim.checkpointSegments(),
                        store.stragglerPercent(),
                        store.moveBytesPerSecond(),
                        reclaim.moveTimeout()));
    }

    public static long payloadCacheBytes(StoreConfig store) {
        return store.payloadCacheBytes() == 0
                ? Runtime.getRuntime().maxMemory() / HEAP_SHARE
                : store.payloadCacheBytes();
    }

    private static long maxOpenFiles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : USUAL_OPEN_FILES;
    }
}
