package dev.avocet.core.trace;

import dev.avocet.core.config.value.TraceComponent;
import dev.avocet.core.security.login.ClientOrigin;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Says which connections are traced. Connections ask when they begin, and again when they are told that something has
 * changed.
 */
public final class Tracer {
    private volatile TraceRules rules = TraceRules.NONE;
    private volatile TraceSink sink = TraceSink.NONE;
    private final Set<LiveTrace> watched = ConcurrentHashMap.newKeySet();

    /** Where everything goes from now on; to be said before the first {@link #rules}. */
    public void sink(TraceSink next) {
        sink = next;
    }

    /** What is traced from now on. True when it is something else than before, and connections have to ask again. */
    public boolean rules(TraceRules next) {
        boolean changed = !next.equals(rules);
        rules = next;
        return changed;
    }

    /** How a connection is traced, or null when it is not. */
    public @Nullable ConnectionTrace traceOf(TraceComponent protocol, String clientId, ClientOrigin origin) {
        TraceRules now = rules;
        int level = now.level(protocol, clientId, origin);
        ConnectionTrace trace =
                level < ConnectionTrace.CONTROL ? null : new ConnectionTrace(sink, level, now.payloadBytes());
        for (LiveTrace each : watched) {
            trace = each.isOf(clientId) ? both(trace, each) : trace;
        }
        return trace;
    }

    private static ConnectionTrace both(@Nullable ConnectionTrace before, LiveTrace more) {
        if (before == null) {
            return new ConnectionTrace(more.sink(), more.level(), 0);
        }
        TraceSink first = before.sink();
        TraceSink second = more.sink();
        TraceSink sinks = line -> {
            first.write(line);
            second.write(line);
        };
        return new ConnectionTrace(sinks, Math.max(before.level(), more.level()), before.payloadBytes());
    }

    /** A client is watched from now on; its connections have to ask again. */
    public void watch(LiveTrace trace) {
        watched.add(trace);
    }

    /** A client is watched no longer; its connections have to ask again. */
    public void unwatch(LiveTrace trace) {
        watched.remove(trace);
    }
}
