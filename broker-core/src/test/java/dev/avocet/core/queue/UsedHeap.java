package dev.avocet.core.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What is in use after a collection. What other test classes of this JVM have left ends at its own time, such as event
 * loops that say goodbye, so this waits until the heap has stopped to shrink and takes the least that it has seen.
 */
final class UsedHeap {
    private static final int AT_REST = 4; // collections after one another
    private static final long NOISE_BYTES = 64 << 10;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int COLLECTIONS_MAX = 200;

    private UsedHeap() {}

    static long bytes() {
        long least = Long.MAX_VALUE;
        int rested = 0;
        for (int i = 0; i < COLLECTIONS_MAX && rested < AT_REST; i++) {
            System.gc();
            long used =
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            rested = least - used > NOISE_BYTES ? 0 : rested + 1;
            least = Math.min(least, used);
            LockSupport.parkNanos(PAUSE_NS);
        }
        return least;
    }
}
