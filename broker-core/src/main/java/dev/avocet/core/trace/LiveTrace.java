package dev.avocet.core.trace;

/**
 * A client that is traced while an administrator watches, beside what the {@link TraceRules} say. Immutable; two of
 * them are never the same.
 */
public final class LiveTrace {
    private final String clientId;
    private final int level;
    private final TraceSink sink;

    /**
     * @param clientId the whole identifier
     * @param level {@link ConnectionTrace#CONTROL} or {@link ConnectionTrace#EVERY_PACKET}
     * @param sink where the lines go; those of the trace's own file go there too
     */
    public LiveTrace(String clientId, int level, TraceSink sink) {
        this.clientId = clientId;
        this.level = level;
        this.sink = sink;
    }

    boolean isOf(String client) {
        return clientId.equals(client);
    }

    int level() {
        return level;
    }

    TraceSink sink() {
        return sink;
    }
}
