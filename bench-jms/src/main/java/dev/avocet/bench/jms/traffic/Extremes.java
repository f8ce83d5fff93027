package dev.avocet.bench.jms.traffic;

import dev.avocet.bench.check.Counter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The least and the most latency of what one consumer receives from a moment on. One thread records; any may read, a
 * moment late. It does not allocate.
 */
public final class Extremes {
    private static final String MESSAGES = "messages";
    private static final String LEAST = "leastUs";
    private static final String MOST = "mostUs";

    private final Counter messages = new Counter();

    /** Until it is known from when on, nothing counts. */
    private volatile long fromNs = Long.MAX_VALUE;

    private volatile long leastNs = Long.MAX_VALUE;
    private volatile long mostNs;

    /** What arrives from now on counts, from that moment on. Any thread. */
    public void begin(long ns) {
        fromNs = ns;
    }

    void record(long nowNs, long latencyNs) {
        if (nowNs < fromNs) {
            return;
        }
        messages.increment();
        if (latencyNs < leastNs) {
            leastNs = latencyNs;
        }
        if (latencyNs > mostNs) {
            mostNs = latencyNs;
        }
    }

    /** Adds them to those of a destination; nothing where nothing came. */
    public void addTo(Map<String, Map<String, Long>> destinations, String name) {
        if (messages.value() > 0) {
            Map<String, Long> figures = destinations.computeIfAbsent(name, key -> new LinkedHashMap<>());
            figures.merge(MESSAGES, messages.value(), Long::sum);
            figures.merge(LEAST, TimeUnit.NANOSECONDS.toMicros(leastNs), Math::min);
            figures.merge(MOST, TimeUnit.NANOSECONDS.toMicros(mostNs), Math::max);
        }
    }
}
