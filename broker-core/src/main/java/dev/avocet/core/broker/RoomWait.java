package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.time.TimerWheel.Timer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a publisher waits for: queues, each of which calls once when it is the publisher's turn for some room, or the
 * heap, which is looked at again and again. Owned by the publisher's loop.
 */
final class RoomWait {
    /** No event says when there is memory again. */
    private static final long MEMORY_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final IoLoop loop;
    private final Runnable retry;
    /** Queues that will call when they have room, and how; each once, however often it was found full. */
    private final Map<MessageQueue, Runnable> awaited = new LinkedHashMap<>(0);

    /** The queue that has called, while that is answered and nothing has been taken yet, and how it did. */
    private @Nullable MessageQueue calledBy;

    private @Nullable Runnable called;
    private @Nullable Timer memoryRetry;

    /** @param retry asks for room again */
    RoomWait(IoLoop loop, Runnable retry) {
        this.loop = loop;
        this.retry = retry;
    }

    /** Has the publisher called when it is worth to ask again. */
    void begin(Room.Wait wait) {
        if (wait.forMemory()) {
            awaitMemory();
        } else if (!awaited.containsKey(wait.queue())) {
            awaitQueue(wait.queue());
        }
    }

    /** Something was taken: who has got something waits behind the others for more. */
    void served() {
        calledBy = null;
    }

    /** True while the publisher waits for the heap. */
    boolean isForMemory() {
        return memoryRetry != null;
    }

    /** The publisher waits no longer. A queue that stays full, as its client is away, would keep it for as long. */
    void end() {
        awaited.forEach(MessageQueue::stopAwaitingRoom);
        awaited.clear();
        if (memoryRetry != null) {
            memoryRetry.cancel();
            memoryRetry = null;
        }
    }

    private void awaitQueue(MessageQueue queue) {
        Runnable call = queue == calledBy ? called : null;
        if (call == null) {
            call = () -> loop.execute(() -> onRoom(queue));
        } else {
            called = null; // others were faster, and it keeps its place
        }
        awaited.put(queue, call);
        queue.awaitRoom(call);
    }

    private void awaitMemory() {
        if (memoryRetry == null) {
            memoryRetry = loop.timers().schedule(MEMORY_RETRY_NS, () -> {
                memoryRetry = null;
                retry.run();
            });
        }
    }

    private void onRoom(MessageQueue queue) {
        Runnable call = awaited.remove(queue);
        calledBy = queue;
        called = call;
        retry.run();
        if (call != null && awaited.get(queue) != call) {
            queue.stopAwaitingRoom(call); // it has had its turn
        }
        calledBy = null;
        called = null;
    }
}
