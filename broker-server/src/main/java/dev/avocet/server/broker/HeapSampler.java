package dev.avocet.server.broker;

import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.loop.MemoryLevel;
import dev.avocet.core.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the {@link MemoryGuard} how much of the heap is free. In use is what survived the last collection of the old
 * generation, and what the broker itself has taken up since, less what it has let go. So garbage that a collection
 * would free is no reason to shed load, a flood is noticed before the collector comes to it, and what has been
 * delivered counts no more although nothing collects it, because nothing is published while load is shed.
 *
 * <p>What survived is not all alive: G1 leaves most of the old garbage to its next collections, and after a flood that
 * may be half of a small heap. So nothing is refused on that word alone: a collection of everything comes first, and
 * what it leaves is believed. A large heap is collected beside the broker instead, which takes a second or two; for
 * three seconds it counts as before, with what tenants have taken since.
 *
 * <p>Often, because a flood fills a small heap within a second.
 */
final class HeapSampler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeapSampler.class);
    private static final long INTERVAL_MS = 50;
    /** Collections that are asked for take one part of so many of the time at most, however long one takes. */
    private static final int COLLECTING_PART = 20;
    /** The same while publishers wait for it; more would keep clients from fetching what is there. */
    private static final int COLLECTING_PART_WHILE_REFUSING = 4;

    private static final long BETWEEN_COLLECTIONS_MIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** A collection is worth while when what no tenant accounts for takes more than this part of the heap. */
    private static final int UNACCOUNTED_PART = 8;
    /**
     * References take this part of the heap at most: with what is in flight and being written, more would leave too
     * little.
     */
    private static final int REFERENCES_PART = 2;

    /** A collection beside the broker has freed most of the garbage after that time. */
    private static final long BESIDE_NS = TimeUnit.SECONDS.toNanos(3);

    private final Heap heap;
    private final HeapTenant tenant;
    private final MemoryGuard memory;
    private final LevelListener listener;
    private final Clock clock;
    private volatile long usedAtStartBytes;
    private long survivedBytes;
    private long accountedThenBytes;
    private long lastCollectedNs;
    private long lastCollectionTookNs;
    private boolean collectsBeside;
    /** What no tenant accounted for when that was last no reason to refuse anything. */
    private long believedBytes;

    private final AtomicBoolean hasStarted = new AtomicBoolean();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "memory");
        daemon.setDaemon(true);
        return daemon;
    });

    HeapSampler(Heap heap, HeapTenant tenant, MemoryGuard memory, LevelListener listener, Clock clock) {
        this.heap = heap;
        this.tenant = tenant;
        this.memory = memory;
        this.listener = listener;
        this.clock = clock;
        rebase();
        this.lastCollectedNs = clock.nanoTime() - BETWEEN_COLLECTIONS_MIN_NS;
    }

    /** Until the first collection, what is in use now counts as what no tenant accounts for. Any thread. */
    final void rebase() {
        usedAtStartBytes = Math.max(0, heap.usedBytes() - accountedBytes());
    }

    /** Does nothing the second time. Any thread. */
    void start() {
        if (hasStarted.getAndSet(true)) {
            return;
        }
        var unused = thread.scheduleAtFixedRate(this::sample, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** Looks once. */
    void sample() {
        checkReferences();
        long unaccounted = unaccountedBytes();
        MemoryLevel level = memory.levelAt(freePercent(unaccounted));
        if (level.refusesMessages() && unaccounted > heap.maxBytes() / UNACCOUNTED_PART) {
            unaccounted = withoutGarbage(unaccounted, level);
        } else {
            heap.endCollecting();
            collectsBeside = false;
            believedBytes = unaccounted;
        }
        double freePercent = freePercent(unaccounted);
        if (memory.sample(freePercent)) {
            LOG.warn("Memory level is now {}: {} % of the heap is free", memory.level(), Math.round(freePercent));
            listener.onLevel(memory.level(), freePercent);
        }
        if (!memory.buffersMessages()) {
            tenant.shedPayloads();
        }
    }

    private void checkReferences() {
        long bytes = tenant.referenceBytes();
        boolean fit = bytes < heap.maxBytes() / REFERENCES_PART;
        if (memory.referencesFit(fit)) {
            LOG.warn(
                    "{} messages wait on disk; the heap {}; references take {} of {} bytes",
                    tenant.references(),
                    fit ? "has room for references to more" : "has no room for references to more, which are refused",
                    bytes,
                    heap.maxBytes());
            tenant.largestQueue().thenAccept(words -> LOG.warn("Of the messages on disk {}", words));
        }
    }

    private double freePercent(long unaccounted) {
        long maxBytes = heap.maxBytes();
        return 100.0 * (maxBytes - accountedBytes() - unaccounted) / maxBytes;
    }

    private boolean isCollectionDue(MemoryLevel level) {
        int part = level == MemoryLevel.REFUSE_CLIENTS ? COLLECTING_PART_WHILE_REFUSING : COLLECTING_PART;
        long intervalNs = Math.max(BETWEEN_COLLECTIONS_MIN_NS, part * lastCollectionTookNs);
        return clock.nanoTime() - lastCollectedNs >= intervalNs;
    }

    /** What is believed to live of what no tenant accounts for, after a collection or while one is going on. */
    private long withoutGarbage(long unaccounted, MemoryLevel level) {
        if (!collectsBeside) {
            if (!isCollectionDue(level)) {
                return unaccounted;
            }
            long beganNs = clock.nanoTime();
            collectsBeside = !heap.collect();
            lastCollectedNs = clock.nanoTime();
            lastCollectionTookNs = lastCollectedNs - beganNs;
            if (!collectsBeside) {
                return unaccountedBytes();
            }
        }
        boolean mayBeGarbage = clock.nanoTime() - lastCollectedNs < BESIDE_NS;
        return mayBeGarbage ? Math.min(unaccounted, believedBytes) : unaccounted;
    }

    /** What survived the last collection beside what was accounted for then. */
    private long unaccountedBytes() {
        long survived = heap.survivedBytes();
        if (survived != survivedBytes) {
            survivedBytes = survived;
            accountedThenBytes = accountedBytes();
        }
        return Math.max(0, survived == 0 ? usedAtStartBytes : survived - accountedThenBytes);
    }

    private long accountedBytes() {
        return tenant.messageBytes() + tenant.referenceBytes();
    }

    /** Hears that the level has changed, on the sampler's thread. */
    @FunctionalInterface
    interface LevelListener {
        /** @param freePercent of the heap */
        void onLevel(MemoryLevel level, double freePercent);
    }
}
