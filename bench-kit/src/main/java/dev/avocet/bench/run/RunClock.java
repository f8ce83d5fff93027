package dev.avocet.bench.run;

import java.time.Instant;

/** The time of a run. May be asked by any thread. */
public interface RunClock {
    /** The clock of this machine: monotonic, and on Linux the same for all its processes until it boots again. */
    static RunClock system() {
        return new SystemRunClock();
    }

    /** This clock, as one would show it that is so much ahead. */
    default RunClock ahead(long aheadNs) {
        return aheadNs == 0 ? this : new ShiftedClock(this, aheadNs);
    }

    /** @return nanoseconds since some moment in the past */
    long nanoTime();

    /** @return the time of day, for reports */
    Instant now();
}
