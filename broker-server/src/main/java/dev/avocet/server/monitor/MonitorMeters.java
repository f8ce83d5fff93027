package dev.avocet.server.monitor;

import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.destination.NamedQueueStatistics;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.metrics.EndpointFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Metrics of what comes and goes: endpoints, policies with subscriptions, and queues. They follow what there is, some
 * seconds later. Of policies and queues only those have metrics of their own in which most waits, a hundred of each;
 * totals are of all. Never anything of a single client, of which there are too many. Thread-safe.
 */
final class MonitorMeters implements MeterBinder {
    private static final String ENDPOINT = "avocet.endpoint.";
    private static final String POLICY = "avocet.policy.";

    private static final String QUEUE = "avocet.queue.";
    private static final int POLICIES_MAX = 100;

    private final EndpointMonitor endpoints;
    private final PolicyLoads policies;
    private final Supplier<QueueLoads> queues;
    private final ReentrantLock refreshing = new ReentrantLock(); // scrapes, and the thread that remembers
    private final List<Bound> bound = new ArrayList<>();

    MonitorMeters(EndpointMonitor endpoints, PolicyLoads policies, Supplier<QueueLoads> queues) {
        this.endpoints = endpoints;
        this.policies = policies;
        this.queues = queues;
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
            QueueLoads loads = queues.get();
            bound.forEach(registry -> registry.refresh(endpoints.all(), policies.last(), loads));
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
        private final MultiGauge depth;
        private final MultiGauge fullness;
        private final MultiGauge receivers;
        private final AtomicReference<QueueLoads> loaded = new AtomicReference<>(new QueueLoads(List.of(), 0, 0));

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
            depth = gauge(
                    registry,
                    QUEUE + "messages",
                    "Messages that wait or are in flight in the queue; of the " + QueueLoads.DEEPEST_MAX
                            + " deepest queues");
            fullness = gauge(registry, QUEUE + "fullness.percent", "How full the queue is, by its MaxMessages");
            receivers = gauge(registry, QUEUE + "consumers", "Receivers attached to the queue, browsers included");
            Gauge.builder("avocet.queues", loaded, now -> now.get().queues())
                    .description("Queues that clients know by name")
                    .register(registry);
            Gauge.builder("avocet.queues.messages", loaded, now -> now.get().messages())
                    .description("Messages that wait or are in flight in all queues")
                    .register(registry);
        }

        void refresh(List<EndpointFacts> now, Map<ObjectKey, PolicyLoad> loads, QueueLoads queueLoads) {
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
            Map<ObjectKey, PolicyLoad> shown = fullest(loads);
            subscriptions.register(rows(shown, PolicyLoad::subscriptions), true);
            buffered.register(rows(shown, PolicyLoad::bufferedMessages), true);
            fullest.register(rows(shown, PolicyLoad::fullestPercent), true);
            loaded.set(queueLoads);
            depth.register(queueRows(queueLoads, NamedQueueStatistics::buffered), true);
            fullness.register(queueRows(queueLoads, QueueLoads::fullnessPercent), true);
            receivers.register(queueRows(queueLoads, NamedQueueStatistics::consumers), true);
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

        /** Those under which most waits. */
        private static Map<ObjectKey, PolicyLoad> fullest(Map<ObjectKey, PolicyLoad> loads) {
            Map<ObjectKey, PolicyLoad> shown = new LinkedHashMap<>();
            loads.entrySet().stream()
                    .sorted(Comparator.comparingLong((Map.Entry<ObjectKey, PolicyLoad> load) ->
                                    -load.getValue().bufferedMessages())
                            .thenComparing(load -> load.getKey().toString()))
                    .limit(POLICIES_MAX)
                    .forEach(load -> shown.put(load.getKey(), load.getValue()));
            return shown;
        }

        private static List<Row<?>> queueRows(QueueLoads loads, ToDoubleFunction<NamedQueueStatistics> figure) {
            List<Row<?>> rows = new ArrayList<>();
            loads.deepest()
                    .forEach(queue -> rows.add(Row.of(Tags.of("queue", queue.name()), figure.applyAsDouble(queue))));
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
