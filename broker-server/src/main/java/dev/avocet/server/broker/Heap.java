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

    /**
     * Collects all garbage, or begins to.
     *
     * @return false when that goes on beside the broker until {@link #endCollecting}; {@link #survivedBytes} tells how
     *     far it is
     */
    boolean collect();

    /** There is no need for a collection, or none any more. */
    void endCollecting();
}
