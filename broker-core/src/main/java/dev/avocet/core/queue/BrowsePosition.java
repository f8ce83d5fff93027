package dev.avocet.core.queue;

/**
 * How far a browser has got through what was in the queue when it began. What comes later it does not see. Home loop.
 */
final class BrowsePosition {
    private final long lastOrder;
    private int priority = RankedReferences.HIGHEST;
    private long passed;

    /** @param lastOrder of what has arrived so far */
    BrowsePosition(long lastOrder) {
        this.lastOrder = lastOrder;
    }

    /** Goes to what is to be looked at next; false when everything was. */
    boolean seek(RankedReferences waiting, RankedCursor cursor) {
        while (priority >= 0) {
            if (waiting.seek(cursor, priority, passed) && cursor.order() <= lastOrder) {
                return true;
            }
            priority--;
            passed = 0;
        }
        return false;
    }

    /** What stands there was looked at. */
    void passed(long order) {
        passed = order;
    }
}
