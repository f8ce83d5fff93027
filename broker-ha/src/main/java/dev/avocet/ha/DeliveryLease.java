package dev.avocet.ha;

import dev.avocet.core.endpoint.OutputLease;
import dev.avocet.core.time.Clock;
import dev.avocet.ha.role.PairNode;

/** The lease of one life: written by the thread of the pair, asked by any. A process that stood still has none left. */
final class DeliveryLease implements OutputLease {
    private final Clock clock;
    private volatile long endNs = PairNode.NO_LEASE;

    DeliveryLease(Clock clock) {
        this.clock = clock;
    }

    /** @param newEndNs by the clock, {@link PairNode#NO_LEASE} or {@link PairNode#NEEDS_NO_LEASE} */
    void endsAt(long newEndNs) {
        endNs = newEndNs;
    }

    @Override
    public boolean holds() {
        return PairNode.holds(endNs, clock.nanoTime());
    }
}
