package dev.avocet.server.admin;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.List;

/** Metrics that come and go together, such as those of a broker instance. Any thread. */
public final class MeterScope implements AutoCloseable {
    private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
    /** Whatever the meters look at must be held here: the registry does not keep it from being collected. */
    private final List<MeterBinder> bound;

    MeterScope(List<MeterRegistry> shownIn, List<MeterBinder> meters) {
        bound = List.copyOf(meters);
        registry.config().meterFilter(new PrometheusConventions());
        shownIn.forEach(registry::add);
        bound.forEach(each -> each.bindTo(registry));
    }

    /** None of them is shown any more, also of those that are registered later. */
    @Override
    public void close() {
        List.copyOf(registry.getMeters()).forEach(registry::remove);
        List.copyOf(registry.getRegistries()).forEach(registry::remove);
    }
}
