package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.RunClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The rows of a run's report, one for each interval. Owned by the thread of the run. */
final class Intervals {
    private static final double SECOND_NS = 1e9;

    private final RunClock clock;
    private final long startNs;
    private final long lengthNs;
    private final Histories histories;
    private final LaneFigures figures;
    private final Consumer<Snapshot> onSnapshot;
    private final List<Snapshot> snapshots = new ArrayList<>();
    private long lastNs;
    private long lastSent;
    private long lastReceived;

    /** @param onSnapshot told of each interval as it ends */
    Intervals(
            RunClock clock,
            long startNs,
            long lengthNs,
            Histories histories,
            LaneFigures figures,
            Consumer<Snapshot> onSnapshot) {
        this.clock = clock;
        this.startNs = startNs;
        this.lengthNs = lengthNs;
        this.histories = histories;
        this.figures = figures;
        this.onSnapshot = onSnapshot;
        lastNs = startNs;
    }

    boolean isDue(long nowNs) {
        return nowNs - lastNs >= lengthNs;
    }

    /** What is left of an interval at the end of a phase; a short rest is not worth a row. */
    void endPhase(String phase, long underWay) {
        if (clock.nanoTime() - lastNs >= lengthNs / 2) {
            report(phase, underWay);
        } else {
            histories.endIntervals();
            histories.message.endInterval();
        }
    }

    void report(String phase, long underWay) {
        long nowNs = clock.nanoTime();
        double seconds = Math.max(1, nowNs - lastNs) / SECOND_NS;
        long sent = figures.sum(lane -> lane.sent.value());
        long received = figures.sum(lane -> lane.received.received());
        histories.endIntervals();
        Snapshot taken = new Snapshot(
                phase,
                (nowNs - startNs) / SECOND_NS,
                figures.connections(),
                (sent - lastSent) / seconds,
                (received - lastReceived) / seconds,
                underWay,
                histories.message.endInterval());
        snapshots.add(taken);
        onSnapshot.accept(taken);
        lastNs = nowNs;
        lastSent = sent;
        lastReceived = received;
    }

    List<Snapshot> all() {
        return List.copyOf(snapshots);
    }
}
