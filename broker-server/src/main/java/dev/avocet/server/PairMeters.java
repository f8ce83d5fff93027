package dev.avocet.server;

import dev.avocet.core.time.Clock;
import dev.avocet.server.admin.PairHealth;
import dev.avocet.server.store.LatencyMeters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** How the pair is, as metrics under {@code avocet.pair}; also while this node serves no clients. */
final class PairMeters implements MeterBinder {
    private final PairReport report;
    private final LatencyMeters confirmations;
    private final LatencyMeters waits;

    PairMeters(PairReport report, Clock clock) {
        this.report = report;
        confirmations = new LatencyMeters(
                "avocet.pair.confirm.latency",
                "From when records are appended here until the standby in sync has confirmed them",
                report.times()::confirmNs,
                clock);
        waits = new LatencyMeters(
                "avocet.pair.commit.wait",
                "From when records are durable here until the pair lets their commit through",
                report.times()::waitNs,
                clock);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "active", "1 while this node serves clients", pair -> pair.serves() ? 1 : 0);
        gauge(
                registry,
                "epoch",
                "Counts the leaderships of the pair",
                pair -> pair.health().epoch());
        gauge(
                registry,
                "in.sync",
                "1 while this node has everything that was acknowledged",
                pair -> isInSync(pair.health()) ? 1 : 0);
        gauge(
                registry,
                "nodes.in.sync",
                "Nodes that have everything that was acknowledged, as far as this node knows",
                pair -> pair.health().inSync().size());
        gauge(
                registry,
                "lag.bytes",
                "How much of the active node's log is not on the standby's disk; NaN while that is not known",
                pair -> known(pair.health().lagBytes()));
        gauge(
                registry,
                "lag.records",
                "How many records the standby has not confirmed; NaN while that is not known",
                pair -> known(pair.health().lagRecords()));
        TimeGauge.builder(
                        "avocet.pair.lag",
                        report,
                        TimeUnit.MILLISECONDS,
                        pair -> known(pair.health().lagMs()))
                .description("Age of the oldest record that the standby has not confirmed; NaN while it is not known")
                .register(registry);
        gauge(
                registry,
                "disk.full",
                "1 from when the disk of this node, a standby, is full until it has room and is in sync again",
                pair -> pair.health().diskFull() ? 1 : 0);
        FunctionCounter.builder("avocet.pair.role.changes", report, PairReport::roleChanges)
                .description("Changes of the role of this node since its start")
                .register(registry);
        confirmations.bindTo(registry);
        waits.bindTo(registry);
    }

    private static boolean isInSync(PairHealth health) {
        return health.inSync().contains(health.node());
    }

    private static double known(long figure) {
        return figure < 0 ? Double.NaN : figure;
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<PairReport> value) {
        Gauge.builder("avocet.pair." + name, report, value)
                .description(description)
                .register(registry);
    }
}
