package dev.avocet.core.journal.commit;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** A histogram whose one writer is never stopped by its readers, and allocates nothing. Any thread reads. */
public final class Series {
    private static final int DIGITS = 2;

    private final long highest;
    private final SingleWriterRecorder recent;
    private final Histogram total;

    /** @param highest what is above that counts as that */
    public Series(long highest) {
        this.highest = highest;
        recent = new SingleWriterRecorder(1, highest, DIGITS);
        total = new Histogram(1, highest, DIGITS);
    }

    /** The writer's thread. */
    public void record(long value) {
        recent.recordValue(Math.max(0, Math.min(value, highest)));
    }

    /** All since the beginning, as a copy. Synchronized as readers share the total; the writer does not come here. */
    public synchronized Histogram total() {
        total.add(recent.getIntervalHistogram());
        return total.copy();
    }
}
