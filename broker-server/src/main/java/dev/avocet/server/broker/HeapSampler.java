package dev.avocet.server.broker;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.loop.MemoryLevel;
import dev.avocet.core.metrics.Counter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the {@link MemoryGuard} how much of the heap is free. In use is what survived the last collection of the old generation, and
 * what the broker itself has taken up since, less what it has let go. So garbage that a collection would free is no reason to shed
 * load, a flood is noticed before the collector comes to it, and what has been delivered counts no more although nothing collects
 * it, because nothing is published while load is shed.
 *
 * <p>Often, because a flood fills a small heap within a second.
 */
final class HeapSampler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeapSampler.class);
    private static final long INTERVAL_MS = 50;
    /** Ten seconds between collections that are asked for. */
    private static final int SAMPLES_BETWEEN_COLLECTIONS = 200;
    /** A collection is worth while when what nobody accounts for takes more than this part of the heap. */
    private static final int UNACCOUNTED_PART = 8;
    /** What a reference to a stored message takes, its share of the arrays around it included. */
    private static final int REFERENCE_BYTES = 20;
    /** References take this part of the heap at most: with what is in flight and being written, more would leave too little. */
    private static final int REFERENCES_PART = 2;

    private final Broker broker;
    private final MemoryGuard memory;
    private final LevelListener listener;
    private final List<MemoryPoolMXBean> heapPools;
    private final long usedAtStartBytes;
    private long survivedBytes;
    private int samplesSinceCollection = SAMPLES_BETWEEN_COLLECTIONS;
    private long accountedThenBytes;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "memory");
        daemon.setDaemon(true);
        return daemon;
    });

    HeapSampler(Broker broker, MemoryGuard memory, LevelListener listener) {
        this.broker = broker;
        this.memory = memory;
        this.listener = listener;
        this.heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .filter(pool ->
                        !pool.getName().contains("Eden") && !pool.getName().contains("Survivor"))
                .toList();
        Runtime runtime = Runtime.getRuntime();
        this.usedAtStartBytes = Math.max(0, runtime.totalMemory() - runtime.freeMemory() - accountedBytes());
    }

    void start() {
        var unused = thread.scheduleAtFixedRate(this::sample, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void sample() {
        long maxBytes = Runtime.getRuntime().maxMemory();
        checkReferences(referenceBytes(), maxBytes);
        long accountedBytes = accountedBytes();
        long usedBytes = accountedBytes + unaccountedBytes(accountedBytes);
        double freePercent = 100.0 * (maxBytes - usedBytes) / maxBytes;
        if (memory.sample(freePercent)) {
            LOG.warn("Memory level is now {}: {} % of the heap is free", memory.level(), Math.round(freePercent));
            listener.onLevel(memory.level(), freePercent);
        }
        if (!memory.buffersMessages()) {
            broker.shedPayloads();
        }
        collectIfShort(usedBytes - accountedBytes > maxBytes / UNACCOUNTED_PART);
    }

    private void checkReferences(long bytes, long maxBytes) {
        boolean fit = bytes < maxBytes / REFERENCES_PART;
        if (memory.referencesFit(fit)) {
            LOG.warn(
                    "{} messages wait on disk; the heap {}",
                    bytes / REFERENCE_BYTES,
                    fit ? "has room for references to more" : "has no room for references to more, which are refused");
        }
    }

    /**
     * While load is shed, little is allocated, so the collector may not come for long, though the old generation is full of what
     * was delivered long ago. Now a pause is better than to refuse for nothing.
     */
    private void collectIfShort(boolean isWorthWhile) {
        samplesSinceCollection++;
        if (!memory.buffersMessages() && isWorthWhile && samplesSinceCollection > SAMPLES_BETWEEN_COLLECTIONS) {
            samplesSinceCollection = 0;
            ManagementFactory.getMemoryMXBean().gc();
        }
    }

    /** What survived the last collection beside what was accounted for then. */
    private long unaccountedBytes(long accounted) {
        long survived = survivedLastCollectionBytes();
        if (survived != survivedBytes) {
            survivedBytes = survived;
            accountedThenBytes = accounted;
        }
        return Math.max(0, survived == 0 ? usedAtStartBytes : survived - accountedThenBytes);
    }

    /** 0 before there was a collection. */
    private long survivedLastCollectionBytes() {
        long sum = 0;
        for (MemoryPoolMXBean pool : heapPools) {
            MemoryUsage afterCollection = pool.getCollectionUsage();
            sum += afterCollection == null ? 0 : afterCollection.getUsed();
        }
        return sum;
    }

    private long accountedBytes() {
        return broker.metrics().get(Counter.BUFFERED_BYTES) + broker.retained().sizeBytes() + referenceBytes();
    }

    private long referenceBytes() {
        return broker.storedReferences() * REFERENCE_BYTES;
    }

    /** Hears that the level has changed, on the sampler's thread. */
    @FunctionalInterface
    interface LevelListener {
        /** @param freePercent of the heap */
        void onLevel(MemoryLevel level, double freePercent);
    }
}
