package dev.avocet.core.journal.commit;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread sleeps until others have something for it. A ring costs a system call only when it really sleeps.
 */
final class Doorbell {
    private final BooleanSupplier reason;
    private volatile @Nullable Thread sleeper;

    /** @param reason not to sleep; reads what other threads write, so volatile fields */
    Doorbell(BooleanSupplier reason) {
        this.reason = reason;
    }

    /** Any thread, after it has given a reason. */
    void ring() {
        VarHandle.fullFence(); // the reason is visible before this thread looks whether another sleeps
        Thread thread = sleeper;
        if (thread != null) {
            sleeper = null; // one wake-up is enough
            LockSupport.unpark(thread);
        }
    }

    /** Returns when there is a reason, or for none: the caller looks. One thread only. */
    void await() {
        if (layDown()) {
            LockSupport.park(this);
        }
        sleeper = null;
    }

    /** The same, but not for longer than this. */
    void await(long timeoutNs) {
        if (layDown()) {
            LockSupport.parkNanos(this, timeoutNs);
        }
        sleeper = null;
    }

    private boolean layDown() {
        sleeper = Thread.currentThread();
        VarHandle.fullFence(); // the other half of the pact with ring()
        return !reason.getAsBoolean();
    }
}
