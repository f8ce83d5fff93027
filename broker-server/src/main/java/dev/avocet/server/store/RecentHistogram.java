package dev.avocet.server.store;

import org.HdrHistogram.Histogram;

/**
 * What came to a histogram lately, made from totals that only grow: since a total that is one to two windows old, as
 * long as a reader asks that often. Not thread-safe.
 */
final class RecentHistogram {
    private final long windowNs;
    private Histogram older;
    private Histogram newer;
    private long newerSinceNs;

    RecentHistogram(Histogram total, long nowNs, long windowNs) {
        this.windowNs = windowNs;
        this.older = total;
        this.newer = total;
        this.newerSinceNs = nowNs;
    }

    /** @param total belongs to this from now on */
    Histogram update(Histogram total, long nowNs) {
        if (nowNs - newerSinceNs >= windowNs) {
            older = newer;
            newer = total;
            newerSinceNs = nowNs;
        }
        Histogram recent = total.copy();
        recent.subtract(older);
        return recent;
    }
}
