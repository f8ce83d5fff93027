package dev.avocet.server.broker;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * That of this process.
 *
 * <p>A collection of everything stands still for a second and more with a heap of some gigabytes. So G1 is told to
 * collect at intervals for a while where the heap is large: it marks beside the broker, and its pauses, which free a
 * part each, take milliseconds. {@code -XX:+ExplicitGCInvokesConcurrent} would be simpler, but each wish of that kind
 * begins to mark anew before what was marked is freed; with it a small heap was full of garbage for minutes.
 */
final class JvmHeap implements Heap {
    /** Up to here a collection of everything is short. */
    private static final long AT_ONCE_MAX_BYTES = 1L << 30;

    private static final String INTERVAL_OPTION = "G1PeriodicGCInterval";
    private static final String INTERVAL_MS = "250";

    private final Runtime runtime = Runtime.getRuntime();
    private final List<MemoryPoolMXBean> old = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
            .filter(pool -> !pool.getName().contains("Eden") && !pool.getName().contains("Survivor"))
            .toList();

    private final @Nullable HotSpotDiagnosticMXBean options;
    private @Nullable String intervalBeforeMs;

    JvmHeap() {
        this(AT_ONCE_MAX_BYTES);
    }

    /** @param atOnceMaxBytes a larger heap is collected beside the broker, where the collector can do that */
    JvmHeap(long atOnceMaxBytes) {
        boolean isG1 = old.stream().anyMatch(pool -> pool.getName().startsWith("G1"));
        options = isG1 && runtime.maxMemory() > atOnceMaxBytes ? optionsWithInterval() : null;
    }

    private static @Nullable HotSpotDiagnosticMXBean optionsWithInterval() {
        HotSpotDiagnosticMXBean present = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            return present != null && present.getVMOption(INTERVAL_OPTION).isWriteable() ? present : null;
        } catch (IllegalArgumentException e) {
            return null; // a JVM without it
        }
    }

    @Override
    public long maxBytes() {
        return runtime.maxMemory();
    }

    @Override
    public long usedBytes() {
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Override
    public long survivedBytes() {
        long sum = 0;
        for (MemoryPoolMXBean pool : old) {
            MemoryUsage afterCollection = pool.getCollectionUsage();
            sum += afterCollection == null ? 0 : afterCollection.getUsed();
        }
        return sum;
    }

    @Override
    public boolean collect() {
        HotSpotDiagnosticMXBean present = options;
        if (present == null) {
            ManagementFactory.getMemoryMXBean().gc();
            return true;
        }
        if (intervalBeforeMs == null) {
            intervalBeforeMs = present.getVMOption(INTERVAL_OPTION).getValue();
            present.setVMOption(INTERVAL_OPTION, INTERVAL_MS);
        }
        return false;
    }

    @Override
    public void endCollecting() {
        String before = intervalBeforeMs;
        if (options != null && before != null) {
            intervalBeforeMs = null;
            options.setVMOption(INTERVAL_OPTION, before);
        }
    }
}
