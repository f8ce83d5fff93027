package dev.avocet.ha.log;

/**
 * When positions of a log were reached: one thread adds marks, another one takes them, and neither waits or allocates.
 * Where there is no room for a mark the next one that has room stands for it, with the time of the earliest of them.
 */
final class Marks {
    private static final int ROOM = 4096;
    private static final long NONE = Long.MIN_VALUE;

    private final long[] positions = new long[ROOM];
    private final long[] timesNs = new long[ROOM];
    private final long[] records = new long[ROOM];
    private volatile long added;
    private volatile long taken;

    /** Since when there is something that has no mark. */
    private volatile long unmarkedNs = NONE;

    /**
     * The adding thread.
     *
     * @param position everything before it is there
     * @param lastRecord number of the last record before it
     */
    void add(long position, long lastRecord, long nowNs) {
        long next = added;
        long sinceNs = unmarkedNs == NONE ? nowNs : unmarkedNs;
        if (next - taken == ROOM) {
            unmarkedNs = sinceNs;
            return;
        }
        int place = (int) (next % ROOM);
        positions[place] = position;
        timesNs[place] = sinceNs;
        records[place] = lastRecord;
        added = next + 1;
        unmarkedNs = NONE;
    }

    /** Whether the oldest mark, if there is one, is at that position or before it. The taking thread. */
    boolean isReached(long position) {
        long next = taken;
        return next < added && positions[(int) (next % ROOM)] <= position;
    }

    /** When the oldest mark was made, or, where there is none, {@code otherwise}. The taking thread. */
    long oldestNs(long otherwise) {
        long next = taken;
        if (next < added) {
            return timesNs[(int) (next % ROOM)];
        }
        long sinceNs = unmarkedNs;
        return sinceNs == NONE ? otherwise : sinceNs;
    }

    /** Takes the oldest mark, which is there; returns its last record. The taking thread. */
    long take() {
        long next = taken;
        long record = records[(int) (next % ROOM)];
        taken = next + 1;
        return record;
    }
}
