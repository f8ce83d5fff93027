package dev.avocet.core.queue;

/** Counts what becomes available in a queue by name: messages that arrive, and those that come back. Home loop. */
final class RankedOrders {
    private long last;

    long next() {
        return ++last;
    }

    long last() {
        return last;
    }
}
