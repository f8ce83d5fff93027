package dev.avocet.core.trace;

import dev.avocet.core.config.value.TraceComponent;
import dev.avocet.core.security.ClientOrigin;
import org.jspecify.annotations.Nullable;

/**
 * Says which connections are traced. Connections ask when they begin, and again when they are told that something has
 * changed.
 */
public final class Tracer {
    private volatile TraceRules rules = TraceRules.NONE;
    private volatile TraceSink sink = TraceSink.NONE;

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
        return level < ConnectionTrace.CONTROL ? null : new ConnectionTrace(sink, level, now.payloadBytes());
    }
}
