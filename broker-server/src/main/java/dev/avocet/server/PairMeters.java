package dev.avocet.server;

import dev.avocet.server.admin.PairHealth;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** How the pair is, as metrics under {@code avocet.pair}; also while this node serves no clients. */
final class PairMeters implements MeterBinder {
    private final PairReport report;

    PairMeters(PairReport report) {
        this.report = report;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "active", "1 while this node serves clients", pair -> pair.leads() ? 1 : 0);
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
                pair -> lag(pair.health()));
        FunctionCounter.builder("avocet.pair.role.changes", report, PairReport::roleChanges)
                .description("Changes of the role of this node since its start")
                .register(registry);
    }

    private static boolean isInSync(PairHealth health) {
        return health.inSync().contains(health.node());
    }

    private static double lag(PairHealth health) {
        return health.lagBytes() < 0 ? Double.NaN : health.lagBytes();
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<PairReport> value) {
        Gauge.builder("avocet.pair." + name, report, value)
                .description(description)
                .register(registry);
    }
}
