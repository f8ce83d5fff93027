package dev.avocet.core.metrics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What happened at one endpoint, counted by each loop apart, from the moment on that the endpoint was first there.
 * Survives that the endpoint is closed and opened again. Any thread.
 */
public final class EndpointFigures {
    private final ConcurrentMap<Integer, LoopCounters> loops = new ConcurrentHashMap<>();

    /** Where a loop counts; asked once for each connection. */
    public LoopCounters of(int loop) {
        return loops.computeIfAbsent(loop, index -> new LoopCounters());
    }

    /** The figure now, over all loops; not a snapshot across several counters. */
    public long get(Counter counter) {
        long sum = 0;
        for (LoopCounters loop : loops.values()) {
            sum += loop.get(counter);
        }
        return sum;
    }
}
