package dev.avocet.bench.agent;

import dev.avocet.bench.agent.Message.Figures;
import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.part.Part;
import dev.avocet.bench.part.Part.Connections;
import dev.avocet.bench.run.RunClock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The figures of an agent, interval by interval; those of all agents end at the same moments. Owned by the thread that
 * leads the parts.
 */
final class Intervals {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final RunClock clock;
    private final long startNs;
    private final long intervalNs;
    private final Map<String, LatencyHistory> latencies = new LinkedHashMap<>();
    private Phase phase = Phase.OPEN;
    private int number;
    private long lastNs;
    private Tally last = Tally.NONE;

    Intervals(RunClock clock, long startNs, long intervalNs, List<Part> parts) {
        this.clock = clock;
        this.startNs = startNs;
        this.intervalNs = intervalNs;
        lastNs = startNs;
        Map<String, List<LatencyRecorder>> recorders = new LinkedHashMap<>();
        parts.forEach(part -> part.latencies()
                .forEach((kind, some) ->
                        recorders.computeIfAbsent(kind, k -> new ArrayList<>()).addAll(some)));
        recorders.forEach((kind, all) -> latencies.put(kind, new LatencyHistory(all)));
    }

    /** @return what is to be told now: when an interval is over, or the phase is */
    @Nullable Figures look(Phase now, Tally tally, Connections connections, boolean ends) {
        long nowNs = clock.nanoTime();
        if (!ends && (nowNs - startNs) / intervalNs == (lastNs - startNs) / intervalNs) {
            return null;
        }
        return end(now, tally, connections, nowNs - lastNs < intervalNs / 2);
    }

    /** Ends the interval before its time. */
    Figures end(Phase now, Tally tally, Connections connections) {
        return end(now, tally, connections, false);
    }

    void forget() {
        latencies.values().forEach(LatencyHistory::forget);
    }

    private Figures end(Phase now, Tally tally, Connections connections, boolean isCut) {
        long nowNs = clock.nanoTime();
        number = now == phase ? number + 1 : 0;
        phase = now;
        double seconds = Math.max(1, nowNs - lastNs) / SECOND_NS;
        Map<String, byte[]> histograms = new LinkedHashMap<>();
        latencies.forEach((kind, history) -> {
            history.endInterval();
            histograms.put(kind, history.encodedInterval());
        });
        Figures figures = new Figures(
                now,
                number,
                isCut,
                (nowNs - startNs) / SECOND_NS,
                tally,
                connections.open(),
                (tally.sent() - last.sent()) / seconds,
                (tally.received() - last.received()) / seconds,
                connections.firstTrouble(),
                histograms);
        last = tally;
        lastNs = nowNs;
        return figures;
    }
}
