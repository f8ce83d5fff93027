package dev.avocet.core.queue.ranked;

/**
 * How far a browser has got through what was in the queue when it began. What comes later it does not see. Home loop.
 */
public final class BrowsePosition {
    /** Below every priority. */
    private static final int NONE = -1;

    private final long lastOrder;
    private final int lowest;
    private int priority;
    private long passed;

    /** @param lastOrder of what has arrived so far */
    public BrowsePosition(long lastOrder) {
        this(RankedReferences.HIGHEST, 0, 0, lastOrder);
    }

    private BrowsePosition(int priority, int lowest, long passed, long lastOrder) {
        this.priority = priority;
        this.lowest = lowest;
        this.passed = passed;
        this.lastOrder = lastOrder;
    }

    /** Of a browser that sees only what stands at a place. */
    public static BrowsePosition only(RankedCursor place) {
        int priority = place.line().priority();
        return new BrowsePosition(priority, priority, place.order() - 1, place.order());
    }

    /** Of a browser that sees nothing. */
    public static BrowsePosition nothing() {
        return new BrowsePosition(NONE, 0, 0, 0);
    }

    /** Goes to what is to be looked at next; false when everything was. */
    public boolean seek(RankedReferences waiting, RankedCursor cursor) {
        while (priority >= lowest) {
            if (waiting.seek(cursor, priority, passed) && cursor.order() <= lastOrder) {
                return true;
            }
            priority--;
            passed = 0;
        }
        return false;
    }

    /** What stands there was looked at. */
    public void passed(long order) {
        passed = order;
    }
}
