package dev.avocet.bench.run;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Watches the harness's own threads and collector during a measurement. Owned by one thread, which begins and ends it.
 */
public final class HarnessWatch implements AutoCloseable {
    private final RunClock clock;
    private final PauseRecording pauses;
    private final long[] threadIds;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final AtomicLong longestPauseMs = new AtomicLong();
    private final AtomicLong totalPauseMs = new AtomicLong();
    private final NotificationListener listener = this::onNotification;
    private final long[] cpuAtStartNs;
    private final long processCpuAtStartNs;
    private final long startNs;

    /** With the pauses as the collector tells of them. */
    public HarnessWatch(RunClock clock, List<Thread> busyThreads) {
        this(clock, busyThreads, PauseRecording.none(clock));
    }

    /**
     * @param busyThreads those that must not become the bottleneck
     * @param pauses is told what is measured
     */
    public HarnessWatch(RunClock clock, List<Thread> busyThreads, PauseRecording pauses) {
        this.clock = clock;
        this.pauses = pauses;
        threadIds = busyThreads.stream().mapToLong(HarnessWatch::idOf).toArray();
        collectors().forEach(collector -> collector.addNotificationListener(listener, null, null));
        cpuAtStartNs = threadCpuNs();
        processCpuAtStartNs = processCpuNs();
        startNs = clock.nanoTime();
        pauses.measuredFrom(startNs);
    }

    /** What has been used since the beginning, with pauses as the collector tells of them. */
    public HarnessLoad load() {
        long endNs = clock.nanoTime();
        pauses.measuredTo(endNs);
        double elapsedNs = Math.max(1, endNs - startNs);
        long[] cpuNs = threadCpuNs();
        double busiest = 0;
        for (int i = 0; i < cpuNs.length; i++) {
            busiest = Math.max(busiest, (cpuNs[i] - cpuAtStartNs[i]) / elapsedNs);
        }
        return new HarnessLoad(
                busiest,
                (processCpuNs() - processCpuAtStartNs) / elapsedNs,
                TimeUnit.MILLISECONDS.toNanos(longestPauseMs.get()),
                TimeUnit.MILLISECONDS.toNanos(totalPauseMs.get()));
    }

    @Override
    public void close() {
        collectors().forEach(this::forget);
    }

    private void forget(NotificationEmitter collector) {
        try {
            collector.removeNotificationListener(listener);
        } catch (ListenerNotFoundException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void onNotification(Notification notification, Object handback) {
        if (!GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(notification.getType())) {
            return;
        }
        GarbageCollectionNotificationInfo info =
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
        // Concurrent collectors report their cycles, in which no thread waits, beside their pauses.
        String name = info.getGcName().toLowerCase(Locale.ROOT);
        if (!name.contains("cycle") && !name.contains("concurrent")) {
            long pauseMs = info.getGcInfo().getDuration();
            totalPauseMs.addAndGet(pauseMs);
            longestPauseMs.accumulateAndGet(pauseMs, Math::max);
        }
    }

    private static List<NotificationEmitter> collectors() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(NotificationEmitter.class::isInstance)
                .map(HarnessWatch::emitter)
                .toList();
    }

    private static NotificationEmitter emitter(GarbageCollectorMXBean collector) {
        return (NotificationEmitter) collector;
    }

    private long[] threadCpuNs() {
        long[] cpuNs = new long[threadIds.length];
        for (int i = 0; i < cpuNs.length; i++) {
            cpuNs[i] = Math.max(0, threads.getThreadCpuTime(threadIds[i]));
        }
        return cpuNs;
    }

    private static long processCpuNs() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    /** Thread.threadId came with Java 19 and getId went out of favour with it. */
    @SuppressWarnings("deprecation")
    private static long idOf(Thread thread) {
        return thread.getId();
    }
}
