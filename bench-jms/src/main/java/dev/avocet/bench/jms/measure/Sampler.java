package dev.avocet.bench.jms.measure;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.RunClock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Looks at the traffic in intervals. Owned by the thread that measures. */
final class Sampler {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final AllTraffic traffic;
    private final RunClock clock;
    private final long startNs;
    private final long intervalNs;
    private final Consumer<Snapshot> onSnapshot;
    private final Map<String, LatencyHistory> latencies;
    private final List<Snapshot> snapshots = new ArrayList<>();
    private Tally last = Tally.NONE;
    private long lastNs;

    Sampler(AllTraffic traffic, RunClock clock, long startNs, long intervalNs, Consumer<Snapshot> onSnapshot) {
        this.traffic = traffic;
        this.clock = clock;
        this.startNs = startNs;
        this.intervalNs = intervalNs;
        this.onSnapshot = onSnapshot;
        latencies = traffic.latencies();
        lastNs = startNs;
    }

    /**
     * Waits until a moment or until it is over, and takes a picture after each interval, but none of an interval that
     * was cut short.
     */
    void await(String phase, long untilNs, BooleanSupplier isOver) {
        while (clock.nanoTime() < untilNs && !isOver.getAsBoolean()) {
            LockSupport.parkNanos(this, LOOK_NS);
            if (clock.nanoTime() - lastNs >= intervalNs) {
                take(phase);
            }
        }
    }

    void take(String phase) {
        long nowNs = clock.nanoTime();
        Tally tally = traffic.tally();
        double seconds = Math.max(1, nowNs - lastNs) / SECOND_NS;
        Map<String, LatencySummary> interval = new LinkedHashMap<>();
        latencies.forEach((kind, history) -> interval.put(kind, history.endInterval()));
        Snapshot snapshot = new Snapshot(
                phase,
                (nowNs - startNs) / SECOND_NS,
                traffic.connections(),
                (tally.sent() - last.sent()) / seconds,
                (tally.received() - last.received()) / seconds,
                tally.lost(),
                interval.values().iterator().next());
        last = tally;
        lastNs = nowNs;
        snapshots.add(snapshot);
        onSnapshot.accept(snapshot);
    }

    /** Forgets the latencies of the warm-up, except those of connecting, which is over then. */
    void forgetWarmUp() {
        latencies.forEach((kind, history) -> {
            if (kind.equals("connect")) {
                history.endInterval();
            } else {
                history.forget();
            }
        });
    }

    List<Snapshot> snapshots() {
        return snapshots;
    }

    Map<String, LatencyHistory> latencies() {
        return latencies;
    }
}
