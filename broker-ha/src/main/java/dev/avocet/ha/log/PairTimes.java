package dev.avocet.ha.log;

import dev.avocet.core.journal.commit.Series;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long the other node takes, over all terms of this process. The thread of the pair records, any thread reads. */
public final class PairTimes {
    private static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(10);

    private final Series confirmNs = new Series(HIGHEST_NS);
    private final Series waitNs = new Series(HIGHEST_NS);

    void confirmed(long ns) {
        confirmNs.record(ns);
    }

    void waited(long ns) {
        waitNs.record(ns);
    }

    /** From when records are appended here until a standby in sync has confirmed them, in nanoseconds. */
    public Histogram confirmNs() {
        return confirmNs.total();
    }

    /** From when records are durable here until the pair lets their commit through, in nanoseconds. */
    public Histogram waitNs() {
        return waitNs.total();
    }
}
