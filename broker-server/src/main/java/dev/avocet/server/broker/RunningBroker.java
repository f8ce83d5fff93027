package dev.avocet.server.broker;

import dev.avocet.core.config.object.security.LoginSource;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.security.provider.LoginChain;
import dev.avocet.core.trace.LiveTrace;
import dev.avocet.server.broker.content.ClientAdministration;
import dev.avocet.server.broker.content.ClientSets;
import dev.avocet.server.broker.content.ConnectionFacts;
import dev.avocet.server.broker.content.QueueAdministration;
import dev.avocet.server.broker.content.RetainedMessageAdministration;
import dev.avocet.server.broker.content.TransactionAdministration;
import dev.avocet.server.broker.endpoint.EndpointState;
import dev.avocet.server.broker.endpoint.WebSocketEndpoint;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.monitor.Monitor;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.store.StoreMonitor;
import dev.avocet.server.transfer.ClientSetTransfers;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A broker that serves clients until it is closed. */
public interface RunningBroker extends AutoCloseable {
    /** Where it really listens, in the order of the configured endpoints; a configured port 0 has become a real one. */
    List<InetSocketAddress> endpoints();

    /**
     * Applies the configuration objects from now on; returns when those that there are have been applied.
     *
     * @param listen whether the endpoints among them serve clients
     * @throws ConfigurationStoreException when the store is closed already
     */
    default void attach(ConfigurationStore objects, boolean listen) throws ConfigurationStoreException {}

    /** What the broker is called; empty when it has no name. Any thread. */
    default String serverName() {
        return "";
    }

    /** How the endpoints are that are configuration objects, by name. Any thread. */
    default List<EndpointState> objectEndpoints() {
        return List.of();
    }

    /**
     * The policies by which an endpoint decides now; null when it has no such endpoint. Only to be asked. Any thread.
     */
    default @Nullable EndpointPolicies policies(String endpoint) {
        return null;
    }

    /** The endpoints that take MQTT over WebSocket now; those of the startup file first. Any thread. */
    default List<WebSocketEndpoint> webSocketEndpoints() {
        return List.of();
    }

    /**
     * Closes connections for an administrator; their wills are published. Not for the broker's own threads.
     *
     * @param unwanted asked on the threads of the connections, so it must be quick
     * @return how many
     */
    default int closeConnections(Predicate<ConnectionFacts> unwanted) {
        return 0;
    }

    /** Answers questions about the broker; null when this one does not. */
    default @Nullable Monitor monitor() {
        return null;
    }

    /** Sessions and subscriptions, for administrators; null where there are none. */
    default @Nullable ClientAdministration clients() {
        return null;
    }

    /** The queues that clients know by name, for administrators; null where there are none. */
    default @Nullable QueueAdministration queues() {
        return null;
    }

    /** Retained messages, for administrators; null where there are none. */
    default @Nullable RetainedMessageAdministration retained() {
        return null;
    }

    /** Sets of clients, for administrators; null where there are none. */
    default @Nullable ClientSets clientSets() {
        return null;
    }

    /** Moves sets of clients to other brokers; null where nothing is kept on disk. */
    default @Nullable ClientSetTransfers transfers() {
        return null;
    }

    /** Transactions that are in doubt, for administrators; null where there are none. */
    default @Nullable TransactionAdministration transactions() {
        return null;
    }

    /** Whether only cryptography is used that FIPS 140 approves. */
    default boolean fips() {
        return false;
    }

    /** Those who are asked about a login, in order. */
    default LoginChain logins(Set<LoginSource> sources, String tokenProfile) {
        return new LoginChain(List.of());
    }

    /** The users of clients, for the requests that change them; null where there are none. */
    default @Nullable BrokerUsers users() {
        return null;
    }

    /**
     * Traces a client into a sink of its own, beside what the configuration says. Any thread.
     *
     * @return ends it
     */
    default Runnable trace(LiveTrace trace) {
        return () -> {};
    }

    /** Returns when everything that was traced so far is in the file. Not for event loops. */
    default void flushTrace() throws IOException {}

    /**
     * The last so many bytes of the trace, from the beginning of a line; empty when nothing was traced. Not for event
     * loops.
     */
    default byte[] traceEnd(int bytes) throws IOException {
        return new byte[0];
    }

    /** The files that administrators upload; null where none are kept. */
    default @Nullable UploadedFiles files() {
        return null;
    }

    /** The broker's own metrics; bound once, after the start, and read by the admin threads. */
    default List<MeterBinder> meters() {
        return List.of();
    }

    /** The store, for the administration, which watches it; null when nothing is kept on disk. */
    default @Nullable StoreMonitor store() {
        return null;
    }

    /**
     * Stops accepting, disconnects the clients, and returns when both are done or a few seconds have passed. Called
     * once, from any thread but the broker's own.
     */
    @Override
    void close();
}
