package dev.avocet.server.process;

import java.util.Locale;

/**
 * The collectors that {@code bin/broker --gc} offers. The JVM runs already when this is read; the launcher has acted on
 * it.
 */
public enum GcProfile {
    /** Parallel: least processor time, longest pauses. */
    THROUGHPUT,
    /** G1. */
    DEFAULT,
    /** Shenandoah: shortest pauses on ordinary machines. */
    REALTIME,
    /** ZGC: short pauses on large heaps. */
    LARGE,
    /** OpenJ9's Metronome. */
    METRONOME;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
