package dev.avocet.core.time;

/** The machine's clocks. The one class that reads them. */
public final class SystemClock implements Clock {
    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallTimeMs() {
        return System.currentTimeMillis();
    }
}
