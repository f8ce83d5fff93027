package dev.avocet.bench.run;

import java.time.Instant;

/** The only place where the harnesses read a clock of the JDK. */
final class SystemRunClock implements RunClock {
    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }
}
