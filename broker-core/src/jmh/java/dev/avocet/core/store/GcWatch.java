package dev.avocet.core.store;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import dev.avocet.core.time.Clock;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** Notes when garbage collections have stopped the JVM. To the millisecond, which is what the JVM tells. */
final class GcWatch implements AutoCloseable {
    private static final long BLUR_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long jvmStartNs;
    private final Spans pauses;
    private final NotificationListener listener = (notification, unused) -> onNotification(notification);

    GcWatch(Clock clock, Spans pauses) {
        this.pauses = pauses;
        jvmStartNs = clock.nanoTime()
                - TimeUnit.MILLISECONDS.toNanos(
                        ManagementFactory.getRuntimeMXBean().getUptime());
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
        }
    }

    private void onNotification(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GarbageCollectionNotificationInfo told =
                    GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            if (!told.getGcName().contains("Concurrent")) {
                GcInfo collection = told.getGcInfo();
                pauses.add(at(collection.getStartTime()) - BLUR_NS, at(collection.getEndTime()) + BLUR_NS);
            }
        }
    }

    private long at(long uptimeMs) {
        return jvmStartNs + TimeUnit.MILLISECONDS.toNanos(uptimeMs);
    }

    @Override
    public void close() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            try {
                ((NotificationEmitter) collector).removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
