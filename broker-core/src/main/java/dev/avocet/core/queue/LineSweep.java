package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.transit.ExpirySearch;
import org.jspecify.annotations.Nullable;

/**
 * Looks through all that a subscription holds for messages whose time is over, in turns: the loop serves its clients in
 * between. Goes on where the queue is at home then. Home loop.
 */
final class LineSweep {
    /** References that are written again, or end, in one turn. */
    private static final int STEPS_PER_TURN = 1_000;

    private final SubscriptionQueue queue;
    private final LineHoldings holdings;
    private @Nullable ExpirySearch search;
    /** Another sweep was asked for meanwhile. */
    private boolean again;

    LineSweep(SubscriptionQueue queue, LineHoldings holdings) {
        this.queue = queue;
        this.holdings = holdings;
    }

    /** Ends what has expired, from now on. */
    void begin(long nowNs) {
        if (search != null) {
            again = true;
            return;
        }
        search = new ExpirySearch(nowNs);
        holdings.beginSweep();
        turn();
    }

    private void turn() {
        IoLoop home = queue.home();
        ExpirySearch present = search;
        if (!home.inLoop()) {
            home.execute(this::turn);
        } else if (queue.isClosed() || present == null) {
            search = null;
        } else {
            turn(present, home);
        }
    }

    private void turn(ExpirySearch present, IoLoop home) {
        int before = holdings.size();
        boolean more = holdings.sweep(present, STEPS_PER_TURN);
        int count = before - holdings.size();
        queue.figures().countExpired(count, home);
        holdings.show();
        queue.room().release(count);
        if (more) {
            home.executeAfterInput(this::turn);
            return;
        }
        search = null;
        queue.noteExpiry(present.earliestNs());
        if (again) {
            again = false;
            queue.noteExpiry(home.clock().nanoTime());
        }
    }
}
