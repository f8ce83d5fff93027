package dev.avocet.server.store;

/** A store that can be watched. */
@FunctionalInterface
public interface StoreMonitor {
    /** What it holds and has done up to now. Any thread but the broker's own; takes less than a millisecond or two. */
    StoreFigures figures();
}
