package dev.avocet.server.system;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.SystemTopic;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.time.Clock;
import dev.avocet.server.monitor.EndpointFacts;
import dev.avocet.server.monitor.Monitor;
import dev.avocet.server.store.StoreFigures;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.server.store.StoreJson;
import dev.avocet.server.store.StoreMonitor;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The figures under {@code $SYS/ResourceStatistics/}: which there are, and what each says. Names stay as they are:
 * scripts read them.
 */
final class ResourceStatistics {
    private static final String PREFIX = SystemTopic.PREFIX + "ResourceStatistics/";

    private static final List<Counter> SERVER = List.of(
            Counter.CONNECTIONS_ACTIVE,
            Counter.CONNECTIONS_ACCEPTED,
            Counter.CONNECTIONS_BAD,
            Counter.SESSIONS,
            Counter.SESSIONS_CONNECTED,
            Counter.MESSAGES_RECEIVED,
            Counter.MESSAGES_DELIVERED,
            Counter.MESSAGES_EXPIRED,
            Counter.BYTES_RECEIVED,
            Counter.BYTES_SENT,
            Counter.BUFFERED_MESSAGES);
    private static final List<Counter> ENDPOINT = List.of(
            Counter.CONNECTIONS_ACTIVE,
            Counter.CONNECTIONS_ACCEPTED,
            Counter.CONNECTIONS_BAD,
            Counter.CONNECTIONS_REFUSED,
            Counter.ACCEPT_FAILURES,
            Counter.AUTHENTICATION_FAILURES,
            Counter.PROTOCOL_ERRORS,
            Counter.KEEP_ALIVE_TIMEOUTS,
            Counter.STALLED_CONSUMERS,
            Counter.NEVER_ACKNOWLEDGING_CONSUMERS);
    private static final List<Counter> TOPIC = List.of(
            Counter.SUBSCRIPTIONS,
            Counter.PUBLISHES_REFUSED,
            Counter.MESSAGES_REJECTED,
            Counter.MESSAGES_DISCARDED,
            Counter.MESSAGES_EXPIRED,
            Counter.MESSAGES_WITHOUT_SUBSCRIBER,
            Counter.RETAINED_REFUSED);

    private final Broker broker;
    private final MemoryGuard memory;
    private final @Nullable StoreMonitor store;
    private final BrokerIdentity identity;
    private final Monitor monitor;
    private final Clock clock;
    private final long startedNs;
    private volatile String serverName;

    /** @param store null when nothing is kept on disk */
    ResourceStatistics(
            Broker broker,
            MemoryGuard memory,
            @Nullable StoreMonitor store,
            BrokerIdentity identity,
            Monitor monitor,
            Clock clock) {
        this.broker = broker;
        this.memory = memory;
        this.store = store;
        this.identity = identity;
        this.monitor = monitor;
        this.clock = clock;
        this.serverName = identity.serverName();
        this.startedNs = clock.nanoTime();
    }

    /** What the broker is called from now on. Any thread. */
    void serverName(String name) {
        serverName = name;
    }

    /** One for each topic. */
    List<Report> reports() {
        return List.of(
                report("Server", this::server),
                report("Endpoint", this::endpoint),
                report("Memory", this::memory),
                report("Topic", this::topic),
                report("Store", this::store));
    }

    private Report report(String name, JsonBody body) {
        return new Report(broker.systemTopic(PREFIX + name), body);
    }

    private void server(JsonGenerator json) throws IOException {
        json.writeStringField("name", serverName);
        json.writeNumberField("uptimeMs", TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - startedNs));
        counters(SERVER, json);
        retainedMessages(json);
    }

    private void endpoint(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("endpoints");
        for (EndpointFacts endpoint : monitor.endpoints()) {
            json.writeString(endpoint.name());
        }
        json.writeEndArray();
        counters(ENDPOINT, json);
        monitor.writeAll("Endpoint", json);
    }

    private void memory(JsonGenerator json) throws IOException {
        Runtime runtime = Runtime.getRuntime();
        json.writeStringField("level", memory.level().name());
        json.writeNumberField("heapMaxBytes", runtime.maxMemory());
        json.writeNumberField("heapUsedBytes", runtime.totalMemory() - runtime.freeMemory());
        counters(List.of(Counter.BUFFERED_MESSAGES, Counter.BUFFERED_BYTES), json);
        json.writeNumberField("retainedBytes", broker.retained().sizeBytes());
    }

    private void topic(JsonGenerator json) throws IOException {
        counters(TOPIC, json);
        retainedMessages(json);
        json.writeNumberField("retainedBytes", broker.retained().sizeBytes());
        monitor.writeAll("Topic", json);
    }

    private void store(JsonGenerator json) throws IOException {
        StoreMonitor watched = store;
        if (watched == null) {
            StoreJson.write(StoreHealth.ofMemory(identity.storeMode()), json);
            return;
        }
        StoreFigures figures = watched.figures();
        StoreJson.write(StoreHealth.of(identity.storeMode(), figures), json);
        StoreJson.write(figures, json);
    }

    private void counters(List<Counter> counters, JsonGenerator json) throws IOException {
        for (Counter counter : counters) {
            json.writeNumberField(
                    memberName(counter), Math.max(0, broker.metrics().get(counter)));
        }
    }

    private void retainedMessages(JsonGenerator json) throws IOException {
        json.writeNumberField("retainedMessages", broker.retained().count());
    }

    /** As in metrics, in the spelling of JSON: {@code messagesReceived}. */
    private static String memberName(Counter counter) {
        String name = counter.metricName();
        StringBuilder member = new StringBuilder();
        for (int i = name.indexOf('.') + 1; i < name.length(); i++) {
            char c = name.charAt(i);
            member.append(c == '.' ? Character.toUpperCase(name.charAt(++i)) : c);
        }
        return member.toString();
    }

    /** A topic and what is published to it. */
    record Report(SystemTopic topic, JsonBody body) {}
}
