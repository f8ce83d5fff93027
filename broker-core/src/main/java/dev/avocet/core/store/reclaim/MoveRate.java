package dev.avocet.core.store.reclaim;

import dev.avocet.core.time.Clock;
import java.util.concurrent.TimeUnit;

/**
 * Bounds how many bytes are moved per second. Something goes whenever the account is not overdrawn, however large it
 * is, and overdraws it at most once; a pause of any length saves up a tenth of a second. Owned by one thread.
 */
final class MoveRate {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long SAVED_NS = SECOND_NS / 10;

    private final Clock clock;
    private final double nsPerByte;
    /** When what has gone so far would have gone at the full rate. */
    private long paidUntilNs;

    MoveRate(long bytesPerSecond, Clock clock) {
        this.clock = clock;
        this.nsPerByte = (double) SECOND_NS / bytesPerSecond;
        this.paidUntilNs = clock.nanoTime();
    }

    /** How long to wait before something may go; 0 when it may now. */
    long delayNs() {
        return Math.max(0, paidUntilNs - clock.nanoTime());
    }

    void spend(long bytes) {
        long from = Math.max(paidUntilNs - clock.nanoTime(), -SAVED_NS);
        paidUntilNs = clock.nanoTime() + from + (long) (bytes * nsPerByte);
    }
}
