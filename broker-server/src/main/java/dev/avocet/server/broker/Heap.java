package dev.avocet.server.broker;

/** The heap, as those parts see it that watch it. */
interface Heap {
    /** What it may grow to. */
    long maxBytes();

    /** What is taken, garbage included. */
    long usedBytes();

    /**
     * What the last collection of the old generation left, and with some collectors garbage that it did not come to; 0
     * before the first.
     */
    long survivedBytes();

    /** Collects all garbage. Returns when that is done, which may take seconds. */
    void collect();
}
