package dev.avocet.server.logging;

import java.util.Map;

/** Takes the lines of the audit log. Any thread. */
@FunctionalInterface
public interface AuditSink {
    /** Forgets every line. */
    AuditSink NONE = line -> {};

    /**
     * Writes a line before it returns. Never fails: what cannot be written is told to the log of the broker.
     *
     * @param line plain JSON without secrets
     */
    void write(Map<String, ?> line);
}
