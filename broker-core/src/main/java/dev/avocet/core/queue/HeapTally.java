package dev.avocet.core.queue;

/** How much of the heap the references of one queue take, as their parts tell. Home loop. */
final class HeapTally {
    private long bytes;

    void add(long more) {
        bytes += more;
    }

    long bytes() {
        return bytes;
    }
}
