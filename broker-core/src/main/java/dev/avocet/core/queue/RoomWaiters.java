package dev.avocet.core.queue;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Publishers that wait for room in a queue. Each waiter is an action that hands itself to the publisher's own loop; bounded by the
 * number of publishing connections, each of which waits with one action at most and takes it back when it ends. Thread-safe.
 */
final class RoomWaiters {
    private volatile @Nullable Queue<Runnable> waiters;

    void add(Runnable action) {
        Queue<Runnable> queue = waiters;
        if (queue == null) {
            synchronized (this) { // only while a queue is full for the first time
                queue = waiters == null ? waiters = new ConcurrentLinkedQueue<>() : waiters;
            }
        }
        queue.add(action);
    }

    /** Takes an action back that has not run; somebody else may be about to run it all the same. */
    void remove(Runnable action) {
        Queue<Runnable> present = waiters;
        if (present != null) {
            present.remove(action);
        }
    }

    /** Wakes everybody when the queue has room. A volatile read when nobody has ever waited. */
    void wakeIf(MessageQueue queue) {
        Queue<Runnable> present = waiters;
        if (present != null && !present.isEmpty() && queue.hasRoom()) {
            wakeAll();
        }
    }

    void wakeAll() {
        Queue<Runnable> present = waiters;
        if (present == null) {
            return;
        }
        for (Runnable action = present.poll(); action != null; action = present.poll()) {
            action.run();
        }
    }
}
