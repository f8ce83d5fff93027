package dev.avocet.core.queue.ranked;

import java.util.Arrays;

/**
 * How far a receiver has looked through what waits without finding anything for itself, so that nothing is looked at
 * twice. Home loop.
 */
public final class ScanPosition {
    private final long[] passed = new long[RankedReferences.HIGHEST + 1];
    private final long[] disturbances = new long[RankedReferences.HIGHEST + 1];
    /** What has become available until then is nothing for the receiver. */
    private long seenArrivals;

    /** Goes to where to go on in a line; false at its end. */
    public boolean begin(RankedCursor cursor, RankedLine line, int priority) {
        if (disturbances[priority] != line.disturbances()) {
            disturbances[priority] = line.disturbances();
            passed[priority] = 0;
        }
        return cursor.seek(line, passed[priority], seenArrivals);
    }

    /** Goes on behind an order, as what stood there has gone; false at the end of the line. */
    public boolean goOn(RankedCursor cursor, RankedLine line, long order) {
        return cursor.seek(line, order, seenArrivals);
    }

    /** What stands there was nothing for the receiver. */
    public void passed(long order, int priority) {
        passed[priority] = order;
    }

    /** Everything was looked at that has become available so far. */
    public void complete(long arrivals) {
        seenArrivals = arrivals;
    }

    /** What was nothing for the receiver may be something now. */
    public void forget() {
        seenArrivals = 0;
        Arrays.fill(passed, 0);
    }
}
