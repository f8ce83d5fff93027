package dev.avocet.ha.role;

import java.time.Duration;

/** Whether a follower waits for the word of the leader that it may give its store up. */
final class Renewal {
    /** After so long without an answer the store stays. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private boolean open;
    private long begunNs;

    void begin(long nowNs) {
        open = true;
        begunNs = nowNs;
    }

    void end() {
        open = false;
    }

    boolean isOpen() {
        return open;
    }

    boolean isLate(long nowNs) {
        return nowNs - begunNs > PATIENCE.toNanos();
    }
}
