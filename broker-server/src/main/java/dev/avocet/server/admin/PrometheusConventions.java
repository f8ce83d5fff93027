package dev.avocet.server.admin;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import java.util.Map;

/**
 * What the metrics of libraries lack for {@code promtool check metrics}: a description, a name that fits, the base
 * unit.
 */
final class PrometheusConventions implements MeterFilter {
    /** Counts nanoseconds; {@link ProcessorTimeMeter} has seconds. */
    private static final String NANOSECONDS = "process.cpu.time";

    private static final Map<String, String> NAMES = Map.of("system.cpu.count", "system.cpus");

    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "netty.allocator.memory.used", "Bytes of network buffers that the allocator has taken",
            "netty.allocator.memory.pinned", "Bytes of network buffers that are in use",
            "netty.allocator.pooled.arenas", "Arenas of the pool of network buffers",
            "netty.allocator.pooled.cache.size", "Size of the caches of network buffers, by kind",
            "netty.allocator.pooled.threadlocal.caches", "Threads that have a cache of network buffers",
            "netty.allocator.pooled.chunk.size", "Bytes of a chunk of the pool of network buffers",
            "netty.eventexecutor.tasks.pending", "Tasks that wait for the event loop");

    @Override
    public MeterFilterReply accept(Meter.Id id) {
        return id.getName().equals(NANOSECONDS) ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
    }

    @Override
    public Meter.Id map(Meter.Id id) {
        String description = id.getDescription() == null ? DESCRIPTIONS.get(id.getName()) : id.getDescription();
        String name = NAMES.getOrDefault(id.getName(), id.getName());
        return new Meter.Id(name, Tags.of(id.getTags()), id.getBaseUnit(), description, id.getType());
    }
}
