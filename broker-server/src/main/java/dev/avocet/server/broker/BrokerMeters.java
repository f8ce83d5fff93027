package dev.avocet.server.broker;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.metrics.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** The broker's counters and what is retained. */
record BrokerMeters(Broker broker, MemoryGuard memory) implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        for (Counter counter : Counter.values()) {
            if (counter.isGauge()) {
                Gauge.builder(name(counter), broker, source -> source.metrics().get(counter))
                        .description(counter.description())
                        .register(registry);
            } else {
                FunctionCounter.builder(
                                name(counter),
                                broker,
                                source -> source.metrics().get(counter))
                        .description(counter.description())
                        .register(registry);
            }
        }
        Gauge.builder(
                        "avocet.retained.messages",
                        broker,
                        source -> source.retained().count())
                .description("Topics that hold a retained message")
                .register(registry);
        Gauge.builder(
                        "avocet.retained.bytes",
                        broker,
                        source -> source.retained().sizeBytes())
                .description("Bytes of retained messages")
                .register(registry);
        Gauge.builder("avocet.memory.level", memory, guard -> guard.level().ordinal())
                .description(
                        "How short of memory the broker is: 0 not at all, 1 caches are emptied, 2 no more messages are held,"
                                + " 3 no more clients are served")
                .register(registry);
    }

    /** With the unit last, as Prometheus wants it. */
    private static String name(Counter counter) {
        return switch (counter) {
            case BYTES_RECEIVED -> "avocet.received.bytes";
            case BYTES_SENT -> "avocet.sent.bytes";
            default -> counter.metricName();
        };
    }
}
