package dev.avocet.ha.role;

/** For how long something that should move has not moved. */
final class Progress {
    private long reached;
    private long movedNs;

    /** Nothing is behind yet. */
    void reset(long position, long nowNs) {
        reached = position;
        movedNs = nowNs;
    }

    /** Where it is and where it should be. */
    void at(long position, long goal, long nowNs) {
        if (position > reached || position >= goal) {
            movedNs = nowNs;
        }
        reached = Math.max(reached, position);
    }

    long stalledNs(long nowNs) {
        return nowNs - movedNs;
    }
}
