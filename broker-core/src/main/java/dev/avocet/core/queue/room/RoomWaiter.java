package dev.avocet.core.queue.room;

import dev.avocet.core.loop.IoLoop;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for room in a queue: it carries its own place among those who wait and its own links, so that to wait costs
 * the queue no memory and no look-up. It waits for one queue at a time, and may be used again for another one once it
 * has {@linkplain dev.avocet.core.queue.BoundedQueue#stopAwaitingRoom stopped}.
 */
public final class RoomWaiter {
    /** Where it is. */
    enum State {
        /** It does not wait. */
        OUT,
        /** It waits, and was not called since. */
        WAITING,
        /** It was called and has not answered. */
        CALLED
    }

    private final @Nullable IoLoop loop;
    private final Runnable action;

    // guarded by the lock of the line in which it waits
    State state = State.OUT;
    /** Kept from when it comes until it stops; lower ones are called first. */
    long place;

    @Nullable RoomWaiter previous;

    @Nullable RoomWaiter next;

    /**
     * Number of the call that took it, until it stops or waits on; its loop sees that of the call it is in without the
     * lock. A number, as a reference from an old object to a young one costs the collector's barrier.
     */
    long calledBy;

    /** True while its action runs and it has not answered: no other thread looks at it then. Its loop. */
    private boolean inTurn;

    /** @param action runs on any thread when it is the waiter's turn; hands itself to the waiter's own thread */
    public RoomWaiter(Runnable action) {
        this.loop = null;
        this.action = action;
    }

    /**
     * A waiter that is called together with others of its loop. It waits and stops on that loop only, and has answered
     * when its action is over.
     *
     * @param action runs on the loop when it is the waiter's turn
     */
    public RoomWaiter(IoLoop loop, Runnable action) {
        this.loop = loop;
        this.action = action;
    }

    /** The loop on which it is called; null when its action may run on any thread. */
    @Nullable IoLoop loop() {
        return loop;
    }

    void call() {
        action.run();
    }

    /** Runs the action, unless the waiter has stopped or waits anew since that call. Its loop. */
    void takeTurn(RoomCall call) {
        if (calledBy != call.number()) {
            return;
        }
        inTurn = true;
        try {
            action.run();
        } finally {
            inTurn = false;
        }
    }

    /** Stops a waiter in its turn without the lock; false when it is not in its turn. */
    boolean stopInTurn() {
        if (!inTurn) {
            return false;
        }
        leave();
        return true;
    }

    /** It is called no longer, and not in its turn. */
    void leave() {
        inTurn = false;
        calledBy = 0;
        state = State.OUT;
    }
}
