package dev.avocet.server.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.time.Clock;
import dev.avocet.server.monitor.table.Loops;
import dev.avocet.server.monitor.table.MonitorException;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.Question;
import dev.avocet.server.monitor.table.Report;
import dev.avocet.server.monitor.table.RowBudget;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions about a running broker. Any thread may ask, but the broker's own: an answer may have to wait for
 * them.
 *
 * <p>Started and closed by the broker.
 */
public final class Monitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);

    /** Going through all subscriptions takes time, so that is done every 15 seconds. */
    private static final int SAMPLES_PER_WALK = 3;

    private final Broker broker;
    private final Clock clock;
    private final EndpointMonitor endpoints;
    private final MemoryMonitor memory;
    private final StoreState store;
    private final PolicyLoads policies;
    private final MonitorMeters meters;
    private final RowBudget budget = new RowBudget();
    private final List<Monitored> types;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "history");
        daemon.setDaemon(true);
        return daemon;
    });
    private long samples;

    /** @param endpointFacts the endpoints as they are whenever asked */
    public Monitor(
            Broker broker,
            MemoryGuard guard,
            Supplier<List<EndpointFacts>> endpointFacts,
            StoreFacts storeFacts,
            Clock clock) {
        this.broker = broker;
        this.clock = clock;
        this.endpoints = new EndpointMonitor(endpointFacts);
        this.memory = new MemoryMonitor(broker, guard);
        this.store = new StoreState(storeFacts);
        this.policies = new PolicyLoads(broker);
        this.meters = new MonitorMeters(endpoints, policies, () -> QueueLoads.of(broker));
        Loops loops = new Loops(broker.loops());
        this.types = List.of(
                new ServerMonitor(broker, endpointFacts).type(),
                endpoints.type(budget),
                new ConnectionMonitor(broker, loops, clock).type(budget),
                new SubscriptionMonitor(broker, loops).type(budget),
                new TopicMonitor(broker).type(budget),
                new ClientMonitor(broker, loops, clock).type(budget),
                memory.type(),
                store.type(),
                new SegmentMonitor(storeFacts).type(budget),
                new QueueMonitor(broker).type(budget),
                new TransactionMonitor(broker).type(budget));
    }

    /** Begins to remember how things were. */
    public void start() {
        var unused = thread.scheduleAtFixedRate(this::sample, 0, History.INTERVAL_S, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** Metrics of endpoints, policies and queues. */
    public MeterBinder meters() {
        return meters;
    }

    /** What can be asked about. */
    public List<Monitored> types() {
        return types;
    }

    /**
     * Answers. The report is to be written, and closed.
     *
     * @param type what is asked about
     * @param question name and value of each part
     */
    public Report ask(String type, Map<String, String> question) throws MonitorException {
        for (Monitored each : types) {
            if (each.name().equals(type)) {
                return each.ask(new Question(question));
            }
        }
        List<String> names = types.stream().map(Monitored::name).toList();
        throw new MonitorException(
                MonitorException.Reason.NOT_FOUND,
                "there is nothing to monitor that is called '" + type + "'" + Question.advice(type, names)
                        + "there are: " + String.join(", ", names));
    }

    /** Writes what there is to tell about all of a kind, as a member of the present object. */
    public void writeAll(String type, JsonGenerator json) throws IOException {
        try (Report report = ask(type, Map.of("ResultCount", "All"))) {
            report.writeTo(json);
        } catch (MonitorException e) {
            LOG.debug("{} is left out: {}", type, e.getMessage());
        }
    }

    /** Writes the broker's counters, as a member of the present object. */
    public void writeCounters(List<Counter> counters, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("Counters");
        for (Counter counter : counters) {
            json.writeNumberField(counter.name(), broker.metrics().get(counter));
        }
        json.writeEndObject();
    }

    /** The endpoints as they are. */
    public List<EndpointFacts> endpoints() {
        return endpoints.all();
    }

    private void sample() {
        try {
            long nowNs = clock.nanoTime();
            long nowMs = clock.wallTimeMs();
            endpoints.sample(nowNs, nowMs);
            memory.sample(nowNs, nowMs);
            store.sample(nowNs, nowMs);
            meters.refresh();
            if (samples++ % SAMPLES_PER_WALK == 0) {
                policies.refresh();
            }
        } catch (RuntimeException e) {
            LOG.warn("No sample was taken for the history of monitoring", e);
        }
    }
}
