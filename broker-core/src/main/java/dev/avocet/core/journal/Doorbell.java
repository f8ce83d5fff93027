package dev.avocet.core.journal;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread waits until another has something for it. A ring costs a system call only when the thread really sleeps; before it
 * does, it looks around for a moment, because a wake-up costs more than that moment.
 */
final class Doorbell {
    private final int spins;
    private volatile @Nullable Thread sleeper;

    /** @param spins how often to look before going to sleep */
    Doorbell(int spins) {
        this.spins = spins;
    }

    /** Any thread, after it has made visible what the ring is about. */
    void ring() {
        VarHandle.fullFence(); // what the ring is about is visible before we look whether anybody sleeps
        Thread thread = sleeper;
        if (thread != null) {
            sleeper = null; // one wake-up is enough
            LockSupport.unpark(thread);
        }
    }

    /** Returns when the condition holds, or earlier: the caller looks again. One thread only. */
    void await(BooleanSupplier condition) {
        if (!looksAround(condition)) {
            sleep(condition, 0);
        }
    }

    /** The same without looking around, and not for longer than this. */
    void await(BooleanSupplier condition, long timeoutNs) {
        sleep(condition, timeoutNs);
    }

    private boolean looksAround(BooleanSupplier condition) {
        for (int i = 0; i < spins; i++) {
            if (condition.getAsBoolean()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return condition.getAsBoolean();
    }

    private void sleep(BooleanSupplier condition, long timeoutNs) {
        sleeper = Thread.currentThread();
        VarHandle.fullFence(); // the other half of the pact with ring()
        if (!condition.getAsBoolean()) {
            if (timeoutNs == 0) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, timeoutNs);
            }
        }
        sleeper = null;
    }
}
