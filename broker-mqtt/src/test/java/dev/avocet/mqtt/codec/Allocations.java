package dev.avocet.mqtt.codec;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures what a thread allocates. */
final class Allocations {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    static long bytesOfThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
