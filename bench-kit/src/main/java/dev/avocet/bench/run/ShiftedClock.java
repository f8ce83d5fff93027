package dev.avocet.bench.run;

import java.time.Instant;

/** Another machine's clock, told by this one's. */
final class ShiftedClock implements RunClock {
    private final RunClock own;
    private final long aheadNs;

    /** @param aheadNs how much the other one shows more */
    ShiftedClock(RunClock own, long aheadNs) {
        this.own = own;
        this.aheadNs = aheadNs;
    }

    @Override
    public long nanoTime() {
        return own.nanoTime() + aheadNs;
    }

    @Override
    public Instant now() {
        return own.now();
    }
}
