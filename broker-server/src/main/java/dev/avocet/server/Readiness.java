package dev.avocet.server;

import dev.avocet.server.admin.Health.Status;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.endpoint.EndpointState;
import dev.avocet.server.store.StoreHealth;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the broker can serve clients.
 *
 * @param endpoints where it listens
 * @param broker null until it has started
 * @param standby why another node of a pair serves the clients; empty where that is not so
 */
record Readiness(
        Status status,
        StoreHealth store,
        List<InetSocketAddress> endpoints,
        @Nullable RunningBroker broker,
        String standby) {
    /** Of a process that is alone. */
    Readiness(Status status, StoreHealth store, List<InetSocketAddress> endpoints, @Nullable RunningBroker broker) {
        this(status, store, endpoints, broker, "");
    }

    /** What keeps it from that, in words; empty when nothing does. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        switch (status) {
            case STARTING -> problems.add("the broker is starting");
            case MAINTENANCE ->
                problems.add("the broker is in maintenance mode; 'broker-admin service maintenance stop' ends it");
            case STANDBY -> problems.add(standby);
            case STOPPING -> problems.add("the broker is stopping");
            case STORE_FAILED -> problems.add("the store has failed, and the broker ends; the log says more");
            case RUNNING -> addServing(problems);
        }
        if (store.state() == StoreHealth.State.OPENING && status != Status.STANDBY) {
            problems.add("the store is being opened");
        }
        return problems;
    }

    private void addServing(List<String> problems) {
        RunningBroker running = broker;
        if (running != null) {
            for (EndpointState endpoint : running.objectEndpoints()) {
                if (endpoint.enabled() && endpoint.address() == null) {
                    problems.add("endpoint '" + endpoint.name() + "' does not listen: " + endpoint.problem());
                }
            }
        }
        if (endpoints.isEmpty()) {
            problems.add("no endpoint listens");
        }
    }
}
