package dev.avocet.ha.log;

import dev.avocet.core.time.Clock;

/**
 * How far the standby is behind in one term, in records and in time. What is appended and durable is noted by the
 * threads of the journal, once for each group of records; the thread of the pair does the rest. Nothing waits.
 */
public final class StandbyLag {
    private static final long UNKNOWN = -1;
    private static final long NS_PER_MS = 1_000_000;

    private final PairTimes times;
    private final Clock clock;
    private final long beginsAt;
    private final long begunNs;
    private final Marks appended = new Marks();
    private final Marks durable = new Marks();
    private volatile long recordBefore;
    private volatile long lastRecord;

    // Of the journal thread.
    private long noted;

    // Of the thread of the pair.
    private long confirmed = UNKNOWN;
    private long furthest;
    private long confirmedRecord = UNKNOWN;

    /** @param beginsAt position at which the term begins; of the pair, as all of them */
    public StandbyLag(PairTimes times, Clock clock, long beginsAt) {
        this.times = times;
        this.clock = clock;
        this.beginsAt = beginsAt;
        begunNs = clock.nanoTime();
        noted = beginsAt;
        furthest = beginsAt;
    }

    /** Number of the last record before the term; told before there is another one. */
    void begins(long record) {
        recordBefore = record;
        lastRecord = record;
    }

    /** The {@code journal} thread. */
    void appended(long end, long last) {
        if (end > noted) {
            noted = end;
            appended.add(end, last, clock.nanoTime());
            lastRecord = last;
        }
    }

    /** The thread that has forced it; one at a time. */
    void durable(long end) {
        durable.add(end, 0, clock.nanoTime());
    }

    /** Everything before that position is committed: what was durable here waits no more. */
    void committed(long position) {
        long nowNs = clock.nanoTime();
        while (durable.isReached(position)) {
            times.waited(nowNs - durable.oldestNs(nowNs));
            long unused = durable.take();
        }
    }

    /**
     * What the standby has confirmed; -1 while it does not follow.
     *
     * @param isInSync whether commits wait for it; one that catches up takes as long as it was away
     */
    public void confirmed(long position, boolean isInSync) {
        confirmed = position;
        if (position > furthest) {
            furthest = position;
            long nowNs = clock.nanoTime();
            while (appended.isReached(position)) {
                if (isInSync) {
                    times.confirmed(nowNs - appended.oldestNs(nowNs));
                }
                confirmedRecord = appended.take();
            }
        }
    }

    /**
     * Records that the standby has not confirmed; -1 while it does not follow, or lacks what is older than the term.
     *
     * @param end of the log
     */
    public long records(long end) {
        if (confirmed >= end) {
            return 0;
        }
        long from = confirmedRecord == UNKNOWN ? recordBefore : confirmedRecord;
        return confirmed == UNKNOWN || isBeforeTheTerm() ? UNKNOWN : Math.max(0, lastRecord - from);
    }

    /**
     * Age of the oldest record that the standby has not confirmed, in milliseconds and 0 only where there is none; -1
     * while it does not follow. What is older than the term counts from its begin.
     *
     * @param end of the log
     */
    public long ageMs(long end) {
        if (confirmed == UNKNOWN) {
            return UNKNOWN;
        }
        if (confirmed >= end) {
            return 0;
        }
        long nowNs = clock.nanoTime();
        long sinceNs = isBeforeTheTerm() ? begunNs : appended.oldestNs(nowNs);
        return 1 + Math.max(0, nowNs - sinceNs) / NS_PER_MS;
    }

    /** Or it has a new store, and lacks what another one had. */
    private boolean isBeforeTheTerm() {
        return confirmed < Math.max(beginsAt, furthest);
    }
}
