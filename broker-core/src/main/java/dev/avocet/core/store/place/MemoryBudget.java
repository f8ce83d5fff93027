package dev.avocet.core.store.place;

import dev.avocet.core.loop.MemoryGuard;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that waiting messages of durable queues may take together; the others are read back from disk when their
 * turn comes. Nothing is kept while the broker is short of heap. Any thread.
 */
public final class MemoryBudget {
    private final long limitBytes;
    private final MemoryGuard guard;
    private final AtomicLong keptBytes = new AtomicLong();

    public MemoryBudget(long limitBytes, MemoryGuard guard) {
        if (limitBytes < 0) {
            throw new IllegalArgumentException("a budget of " + limitBytes + " bytes is not possible");
        }
        this.limitBytes = limitBytes;
        this.guard = guard;
    }

    /** Takes a share; false when there is none left. */
    public boolean keep(int sizeBytes) {
        if (!guard.keepsCaches() || keptBytes.get() + sizeBytes > limitBytes) {
            return false;
        }
        if (keptBytes.addAndGet(sizeBytes) <= limitBytes) {
            return true;
        }
        letGo(sizeBytes); // others were faster
        return false;
    }

    /** Gives a share back. */
    public void letGo(int sizeBytes) {
        keptBytes.addAndGet(-sizeBytes);
    }

    /** What all messages take that are kept. Any thread. */
    public long keptBytes() {
        return keptBytes.get();
    }

    long limitBytes() {
        return limitBytes;
    }
}
