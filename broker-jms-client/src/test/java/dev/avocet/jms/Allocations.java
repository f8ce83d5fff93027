package dev.avocet.jms;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the calling thread has taken from the heap, counted by the JVM. */
public final class Allocations {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /**
     * By the least of three runs: the first in a JVM loads classes, which counts too, and what is out of proportion
     * stays so.
     */
    public static long bytesOf(final Runnable task) {
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 3; run++) {
            final long before =
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            task.run();
            least = Math.min(
                    least,
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
        }
        return least;
    }
}
