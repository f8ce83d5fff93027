package dev.avocet.server.store;

import dev.avocet.core.store.reclaim.StoreStatistics;
import dev.avocet.core.time.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The store's figures as metrics, under {@code avocet.store}. */
public final class StoreMeters implements MeterBinder {
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999};

    private final StoreReadings readings;

    /** Meters of this store. */
    public StoreMeters(StoreMonitor store, Clock clock) {
        this.readings = new StoreReadings(store, clock);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        contents(registry);
        checkpoints(registry);
        reclaim(registry);
        commits(registry);
        latency(registry);
        state(registry);
    }

    private void contents(MeterRegistry registry) {
        gauge(registry, "segments", "Files of the journal", contents(StoreStatistics::segments));
        gauge(registry, "bytes", "Disk that the journal takes", contents(StoreStatistics::diskBytes));
        gauge(
                registry,
                "live.references",
                "References to messages that are still needed",
                contents(StoreStatistics::liveReferences));
        gauge(registry, "live.bytes", "Disk that these messages take", contents(StoreStatistics::liveBytes));
        gauge(
                registry,
                "live.percent",
                "Share of the journal that is still needed",
                contents(StoreStatistics::livePercent));
        gauge(
                registry,
                "memory.bytes",
                "Stored messages that are in memory as well",
                contents(StoreStatistics::memoryBytes));
        gauge(
                registry,
                "read.back.waiting",
                "Requests to read messages back that wait for the disk",
                contents(StoreStatistics::waitingReads));
        counter(
                registry,
                "read.back.messages",
                "Messages read from the disk to be delivered",
                contents(StoreStatistics::readBackMessages));
        counter(registry, "read.back.bytes", "Bytes of these", contents(StoreStatistics::readBackBytes));
        counter(
                registry,
                "lost.messages",
                "Messages that the disk has damaged, and that were given up",
                contents(StoreStatistics::lostMessages));
    }

    private void checkpoints(MeterRegistry registry) {
        counter(registry, "checkpoints", "Checkpoints taken", contents(StoreStatistics::checkpoints));
        counter(
                registry,
                "checkpoint.failures",
                "Checkpoints that could not be written",
                contents(StoreStatistics::checkpointFailures));
        time(
                registry,
                "checkpoint.age",
                "Time since the newest checkpoint, or since the start",
                contents(StoreStatistics::checkpointAgeNs));
        time(
                registry,
                "checkpoint.duration",
                "How long the newest checkpoint took",
                contents(StoreStatistics::checkpointDurationNs));
    }

    private void reclaim(MeterRegistry registry) {
        counter(
                registry,
                "dropped.segments",
                "Files of the journal that were deleted because nothing in them is needed",
                contents(StoreStatistics::droppedSegments));
        counter(
                registry,
                "drop.failures",
                "Files of the journal that could not be deleted",
                contents(StoreStatistics::dropFailures));
        counter(
                registry,
                "moved.messages",
                "Messages written again so that their file could be deleted",
                contents(StoreStatistics::movedMessages));
        counter(registry, "moved.bytes", "Bytes of these", contents(StoreStatistics::movedBytes));
    }

    private void commits(MeterRegistry registry) {
        counter(
                registry,
                "commits",
                "Times that records were made durable",
                reading -> reading.figures().commits().commits());
        counter(
                registry,
                "records",
                "Records made durable",
                reading -> reading.figures().commits().records());
        counter(
                registry,
                "entries",
                "Entries in these records",
                reading -> reading.figures().commits().entries());
        counter(
                registry,
                "written.bytes",
                "Bytes of these records",
                reading -> reading.figures().commits().bytes());
        gauge(
                registry,
                "pending.bytes",
                "Bytes that wait to be made durable",
                reading -> reading.figures().pendingBytes());
        for (double quantile : QUANTILES) {
            Gauge.builder(
                            "avocet.store.commit.records.percentile",
                            readings,
                            source -> source.now().records().getValueAtPercentile(quantile * 100))
                    .description("Records that became durable together, lately")
                    .tag("phi", Double.toString(quantile))
                    .register(registry);
        }
    }

    /** Count and sum are since the start; percentiles and the maximum are of the last minute or two. */
    private void latency(MeterRegistry registry) {
        String name = "avocet.store.commit.latency";
        FunctionTimer.builder(
                        name,
                        readings,
                        source -> source.now().figures().commits().latencyNs().getTotalCount(),
                        source -> source.now().latencySumNs(),
                        TimeUnit.NANOSECONDS)
                .description("From the moment that a loop hands over its entries until it hears that they are durable")
                .register(registry);
        for (double quantile : QUANTILES) {
            TimeGauge.builder(
                            name + ".percentile",
                            readings,
                            TimeUnit.NANOSECONDS,
                            source -> source.now().latencyNs().getValueAtPercentile(quantile * 100))
                    .description("The same, lately")
                    .tag("phi", Double.toString(quantile))
                    .register(registry);
        }
        time(
                registry,
                "commit.latency.max",
                "The longest of these, lately",
                reading -> reading.latencyNs().getMaxValue());
        time(
                registry,
                "force.max",
                "The longest that the disk took to make records durable, lately",
                reading -> reading.forceNs().getMaxValue());
    }

    private void state(MeterRegistry registry) {
        gauge(
                registry,
                "full",
                "1 while messages are refused because the disk is full, else 0",
                reading -> reading.figures().acceptsMessages() ? 0 : 1);
        gauge(
                registry,
                "failed",
                "1 once the disk has failed and the broker ends, else 0",
                reading -> reading.figures().failed() ? 1 : 0);
    }

    private static ToDoubleFunction<StoreSample> contents(ToDoubleFunction<StoreStatistics> figure) {
        return reading -> figure.applyAsDouble(reading.figures().contents());
    }

    /** Holds the readings, which the meters of the other kinds refer to weakly and which nothing else would keep. */
    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<StoreSample> figure) {
        Gauge.builder("avocet.store." + name, readings, source -> figure.applyAsDouble(source.now()))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private void counter(
            MeterRegistry registry, String name, String description, ToDoubleFunction<StoreSample> figure) {
        FunctionCounter.builder("avocet.store." + name, readings, source -> figure.applyAsDouble(source.now()))
                .description(description)
                .register(registry);
    }

    private void time(MeterRegistry registry, String name, String description, ToDoubleFunction<StoreSample> figureNs) {
        TimeGauge.builder(
                        "avocet.store." + name,
                        readings,
                        TimeUnit.NANOSECONDS,
                        source -> figureNs.applyAsDouble(source.now()))
                .description(description)
                .register(registry);
    }
}
