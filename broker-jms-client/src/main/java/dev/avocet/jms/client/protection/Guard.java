package dev.avocet.jms.client.protection;

import dev.avocet.protection.ReplayGuard;
import org.jspecify.annotations.Nullable;

/** Remembers what came on one way, from the first sealed message on. Thread-safe. */
public final class Guard {
    private @Nullable ReplayGuard replays;

    synchronized ReplayGuard replays() {
        ReplayGuard present = replays;
        if (present == null) {
            present = new ReplayGuard();
            replays = present;
        }
        return present;
    }

    /** The line was lost: what came last may come once more, as the server may not know that it had been delivered. */
    public synchronized void lineLost() {
        if (replays != null) {
            replays.forgive();
        }
    }
}
