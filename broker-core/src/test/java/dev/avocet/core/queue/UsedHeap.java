package dev.avocet.core.queue;

/** What is in use after a collection; the least of a few, because others run in this JVM. */
final class UsedHeap {
    private UsedHeap() {}

    static long bytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}
