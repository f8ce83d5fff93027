package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.report.Snapshot;
import java.util.Map;

/** What may be asked of a run, and changed in it, while it goes on. Only inside of what {@link MqttRun#submit} is given. */
public interface LiveRun {
    /** Ends the interval and reports it. */
    Snapshot snapshot();

    /** Of all intervals that have ended, by what they measure. */
    Map<String, LatencySummary> latencies();

    /** Forgets the latencies so far. */
    void resetLatencies();

    /** From now on so many messages per second, of all publishers; 0 for none. */
    void changeRate(double messagesPerSecond);

    /** What went wrong first; empty when nothing did. */
    String firstTrouble();
}
