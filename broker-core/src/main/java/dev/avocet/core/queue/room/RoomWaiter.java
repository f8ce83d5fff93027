package dev.avocet.core.queue.room;

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

    private final Runnable action;

    // guarded by the lock of the line in which it waits
    State state = State.OUT;
    /** Kept from when it comes until it stops; lower ones are called first. */
    long place;

    @Nullable RoomWaiter previous;

    @Nullable RoomWaiter next;

    /** @param action runs on any thread when it is the waiter's turn; hands itself to the waiter's own thread */
    public RoomWaiter(Runnable action) {
        this.action = action;
    }

    void call() {
        action.run();
    }
}
