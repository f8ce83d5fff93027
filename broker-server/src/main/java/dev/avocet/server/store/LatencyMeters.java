package dev.avocet.server.store;

import dev.avocet.core.time.Clock;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A histogram of nanoseconds as metrics: count and sum since the start, percentiles and maximum of the last minute. */
public final class LatencyMeters implements MeterBinder {
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999};
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(60);

    private final String name;
    private final String description;
    private final Supplier<Histogram> source;
    private final Clock clock;
    private final RecentHistogram recent;
    private @Nullable Reading last;

    /** @param source has all since the start, in a copy */
    public LatencyMeters(String name, String description, Supplier<Histogram> source, Clock clock) {
        this.name = name;
        this.description = description;
        this.source = source;
        this.clock = clock;
        recent = new RecentHistogram(source.get(), clock.nanoTime(), WINDOW_NS);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionTimer.builder(
                        name,
                        this,
                        meters -> meters.now().total().getTotalCount(),
                        meters -> sum(meters.now().total()),
                        TimeUnit.NANOSECONDS)
                .description(description)
                .register(registry);
        for (double quantile : QUANTILES) {
            gauge(".percentile", () -> now().lately().getValueAtPercentile(quantile * 100))
                    .description("The same, lately")
                    .tag("phi", Double.toString(quantile))
                    .register(registry);
        }
        gauge(".max", () -> now().lately().getMaxValue())
                .description("The longest of these, lately")
                .register(registry);
    }

    /** Refers to this strongly, as the timer does not and nothing else would keep it. */
    private TimeGauge.Builder<Supplier<Number>> gauge(String suffix, Supplier<Number> valueNs) {
        return TimeGauge.builder(name + suffix, valueNs, TimeUnit.NANOSECONDS);
    }

    private static double sum(Histogram histogram) {
        return histogram.getMean() * histogram.getTotalCount();
    }

    /** One look for all the meters of a scrape. Synchronized, because scrapes may overlap; there are few. */
    private synchronized Reading now() {
        long nowNs = clock.nanoTime();
        Reading reading = last;
        if (reading == null || nowNs - reading.atNs() > FRESH_NS) {
            Histogram total = source.get();
            reading = new Reading(nowNs, total, recent.update(total, nowNs));
            last = reading;
        }
        return reading;
    }

    private record Reading(long atNs, Histogram total, Histogram lately) {}
}
