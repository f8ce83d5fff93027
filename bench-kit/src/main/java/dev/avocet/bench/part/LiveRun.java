package dev.avocet.bench.part;

import dev.avocet.bench.latency.LatencySummary;
import java.util.Map;

/**
 * What may be asked of a run, and changed in it, while it goes on. Only inside of what {@link CommandedRun#submit} is
 * given.
 */
public interface LiveRun {
    /** Ends the interval and has it reported. */
    void report();

    /** Of all intervals that have ended, by what they measure. */
    Map<String, LatencySummary> latencies();

    /** Forgets the latencies so far. */
    void resetLatencies();

    /** From now on so many messages per second, of all publishers; 0 for none. */
    void changeRate(double messagesPerSecond);

    /** What went wrong first; empty when nothing did. */
    String firstTrouble();
}
