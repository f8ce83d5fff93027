package dev.avocet.core.time;

/**
 * The only source of time in the broker. Intervals are measured with {@link #nanoTime()}, which never goes back; wall
 * time is for people and for wire formats that carry it.
 *
 * <p>Implementations may be called from any thread.
 */
public interface Clock {
    /** Monotonic nanoseconds from an arbitrary origin; only differences mean something. */
    long nanoTime();

    /** Milliseconds since 1970-01-01T00:00:00Z; may jump when an administrator corrects the machine's clock. */
    long wallTimeMs();
}
