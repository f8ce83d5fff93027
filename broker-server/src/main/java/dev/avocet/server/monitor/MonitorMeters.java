package dev.avocet.server.monitor;

import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.metrics.EndpointFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;

/**
 * Metrics of what comes and goes: endpoints, and policies with subscriptions. They follow what there is, some seconds later. Never
 * anything of a single client, of which there are too many. Thread-safe.
 */
final class MonitorMeters implements MeterBinder {
    private static final String ENDPOINT = "avocet.endpoint.";
    private static final String POLICY = "avocet.policy.";

    private final EndpointMonitor endpoints;
    private final PolicyLoads policies;
    private final ReentrantLock refreshing = new ReentrantLock(); // scrapes, and the thread that remembers
    private final List<Bound> bound = new ArrayList<>();

    MonitorMeters(EndpointMonitor endpoints, PolicyLoads policies) {
        this.endpoints = endpoints;
        this.policies = policies;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        refreshing.lock();
        try {
            bound.add(new Bound(registry));
        } finally {
            refreshing.unlock();
        }
        refresh();
    }

    /** Brings the metrics in line with what there is now. */
    void refresh() {
        refreshing.lock();
        try {
            bound.forEach(registry -> registry.refresh(endpoints.all(), policies.last()));
        } finally {
            refreshing.unlock();
        }
    }

    /** The meters of one registry. */
    private static final class Bound {
        private final MeterRegistry registry;
        private final Map<EndpointFigures, List<Meter>> counters = new HashMap<>();
        private final MultiGauge active;
        private final MultiGauge up;
        private final MultiGauge subscriptions;
        private final MultiGauge buffered;
        private final MultiGauge fullest;

        Bound(MeterRegistry registry) {
            this.registry = registry;
            active = gauge(registry, ENDPOINT + "connections.active", "Connections of the endpoint that are open now");
            up = gauge(registry, ENDPOINT + "up", "1 when the endpoint listens, or is disabled; 0 when it cannot");
            subscriptions = gauge(registry, POLICY + "subscriptions", "Subscriptions made under the policy");
            buffered = gauge(
                    registry,
                    POLICY + "buffered.messages",
                    "Messages that wait or are in flight in subscriptions made under the policy");
            fullest = gauge(
                    registry,
                    POLICY + "fullest.percent",
                    "How full the fullest subscription made under the policy is, by its MaxMessages");
        }

        void refresh(List<EndpointFacts> now, Map<ObjectKey, PolicyLoad> loads) {
            counters.entrySet().removeIf(entry -> {
                boolean gone = now.stream().noneMatch(endpoint -> endpoint.figures() == entry.getKey());
                if (gone) {
                    entry.getValue().forEach(registry::remove);
                }
                return gone;
            });
            now.forEach(endpoint -> counters.computeIfAbsent(endpoint.figures(), figures -> register(endpoint)));
            active.register(rows(now, endpoint -> endpoint.get(Counter.CONNECTIONS_ACTIVE)), true);
            up.register(rows(now, endpoint -> endpoint.problem() == null ? 1 : 0), true);
            subscriptions.register(rows(loads, PolicyLoad::subscriptions), true);
            buffered.register(rows(loads, PolicyLoad::bufferedMessages), true);
            fullest.register(rows(loads, PolicyLoad::fullestPercent), true);
        }

        private List<Meter> register(EndpointFacts endpoint) {
            return List.of(
                    counter(endpoint, "connections", "Connections accepted", Counter.CONNECTIONS_ACCEPTED),
                    counter(
                            endpoint,
                            "connections.bad",
                            "Connections closed before their first packet was accepted",
                            Counter.CONNECTIONS_BAD),
                    counter(
                            endpoint,
                            "received.messages",
                            "Messages that clients published",
                            Counter.MESSAGES_RECEIVED),
                    counter(endpoint, "sent.messages", "Messages sent to clients", Counter.MESSAGES_DELIVERED),
                    counter(endpoint, "received.bytes", "Bytes received from clients", Counter.BYTES_RECEIVED),
                    counter(endpoint, "sent.bytes", "Bytes sent to clients", Counter.BYTES_SENT),
                    counter(endpoint, "publishes.lost", "Publishes that failed as a whole", Counter.PUBLISHES_REFUSED),
                    counter(
                            endpoint,
                            "publishes.incomplete",
                            "Publishes that were taken, though one or more full subscriptions went without",
                            Counter.PUBLISHES_INCOMPLETE));
        }

        private Meter counter(EndpointFacts endpoint, String name, String description, Counter counter) {
            return FunctionCounter.builder(ENDPOINT + name, endpoint.figures(), figures -> figures.get(counter))
                    .description(description)
                    .tag("endpoint", endpoint.name())
                    .register(registry);
        }

        private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
            return MultiGauge.builder(name).description(description).register(registry);
        }

        private static List<Row<?>> rows(List<EndpointFacts> endpoints, ToDoubleFunction<EndpointFacts> figure) {
            List<Row<?>> rows = new ArrayList<>();
            endpoints.forEach(
                    endpoint -> rows.add(Row.of(Tags.of("endpoint", endpoint.name()), figure.applyAsDouble(endpoint))));
            return rows;
        }

        private static List<Row<?>> rows(Map<ObjectKey, PolicyLoad> loads, ToDoubleFunction<PolicyLoad> figure) {
            List<Row<?>> rows = new ArrayList<>();
            loads.forEach((policy, load) -> rows.add(Row.of(
                    Tags.of("policy", policy.name(), "type", policy.type().name()), figure.applyAsDouble(load))));
            return rows;
        }
    }
}
