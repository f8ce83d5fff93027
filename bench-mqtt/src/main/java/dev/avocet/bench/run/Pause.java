package dev.avocet.bench.run;

/**
 * A time in which no thread of the harness ran.
 *
 * @param kind {@code collector}, or {@code safepoint} for whatever else the JVM stops all threads for
 * @param cause in the JVM's words
 * @param seconds since the run began, at its beginning
 */
public record Pause(String kind, String cause, double seconds, long durationNs) {
    public static final String COLLECTOR = "collector";
    public static final String SAFEPOINT = "safepoint";
}
