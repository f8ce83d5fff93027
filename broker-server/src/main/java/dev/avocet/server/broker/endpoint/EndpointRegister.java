package dev.avocet.server.broker.endpoint;

import dev.avocet.core.metrics.EndpointFigures;
import dev.avocet.core.time.Clock;
import dev.avocet.server.monitor.EndpointFacts;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures of endpoints by their name: they go on when an endpoint is opened anew, and begin anew when it was
 * deleted meanwhile. Any thread.
 */
public final class EndpointRegister {
    private final Clock clock;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    public EndpointRegister(Clock clock) {
        this.clock = clock;
    }

    /** An endpoint is about to listen; its figures. */
    public EndpointFigures opened(String name) {
        Entry entry = entry(name);
        entry.configuredAtMs = clock.wallTimeMs();
        return entry.figures;
    }

    /** What there is to tell about an endpoint. */
    public EndpointFacts facts(
            String name, boolean enabled, @Nullable InetSocketAddress address, @Nullable String problem) {
        Entry entry = entry(name);
        return new EndpointFacts(
                name, enabled, address, problem, entry.configuredAtMs, entry.countedSinceMs, entry.figures);
    }

    /** Forgets all endpoints but these. */
    public void retain(List<EndpointFacts> present) {
        Set<String> names = present.stream().map(EndpointFacts::name).collect(Collectors.toSet());
        entries.keySet().retainAll(names);
    }

    private Entry entry(String name) {
        return entries.computeIfAbsent(name, unused -> new Entry(clock.wallTimeMs()));
    }

    private static final class Entry {
        final EndpointFigures figures = new EndpointFigures();
        final long countedSinceMs;
        volatile long configuredAtMs;

        Entry(long nowMs) {
            countedSinceMs = nowMs;
            configuredAtMs = nowMs;
        }
    }
}
