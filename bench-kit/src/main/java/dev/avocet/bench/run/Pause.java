package dev.avocet.bench.run;

import org.jspecify.annotations.Nullable;

/**
 * A time in which no thread of the harness ran.
 *
 * @param kind {@code collector}, or {@code safepoint} for any other reason for which the JVM stops all threads
 * @param cause in the JVM's words
 * @param seconds since the run began, at its beginning
 * @param agent whose it was, in a run of several; otherwise empty
 */
public record Pause(
        String kind,
        String cause,
        double seconds,
        long durationNs,
        @Nullable String agent) {
    public static final String COLLECTOR = "collector";
    public static final String SAFEPOINT = "safepoint";

    /** Results of earlier versions know no agents. */
    public Pause {
        agent = agent == null ? "" : agent;
    }

    public Pause(String kind, String cause, double seconds, long durationNs) {
        this(kind, cause, seconds, durationNs, "");
    }

    /** The same as that of an agent. */
    public Pause of(String itsAgent) {
        return new Pause(kind, cause, seconds, durationNs, itsAgent);
    }
}
