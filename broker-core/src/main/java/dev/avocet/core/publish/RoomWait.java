package dev.avocet.core.publish;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.room.RoomWaiter;
import dev.avocet.core.time.TimerWheel.Timer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a publisher waits for: queues, each of which calls once when it is the publisher's turn for some room, or the
 * heap, which is looked at again and again. Owned by the publisher's loop.
 */
public final class RoomWait {
    /** No event says when there is memory again. */
    private static final long MEMORY_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final IoLoop loop;
    private final Runnable retry;
    /** The queue that will call when it has room, which is one most of the time. */
    private @Nullable Turn awaited;
    /** Others that will; each queue once, however often it was found full. */
    private @Nullable Map<MessageQueue, Turn> others;
    /** Waits for no queue, and may be used for the next. */
    private @Nullable Turn spare;

    /** What a queue has called for, while that is answered and nothing has been taken yet. */
    private @Nullable Turn called;

    private @Nullable Timer memoryRetry;

    /** @param retry asks for room again */
    public RoomWait(IoLoop loop, Runnable retry) {
        this.loop = loop;
        this.retry = retry;
    }

    /** Has the publisher called when it is worth to ask again. */
    public void begin(Room.Wait wait) {
        if (wait.forMemory()) {
            awaitMemory();
        } else if (!isAwaited(wait.queue())) {
            awaitQueue(wait.queue());
        }
    }

    /** Something was taken: who has got something waits behind the others for more. */
    public void served() {
        Turn served = called;
        if (served != null) {
            called = null;
            end(served);
        }
    }

    /** True while the publisher waits for the heap. */
    public boolean isForMemory() {
        return memoryRetry != null;
    }

    /** The publisher waits no longer. A queue that stays full, as its client is away, would keep it for as long. */
    public void end() {
        if (awaited != null) {
            end(awaited);
            awaited = null;
        }
        if (others != null) {
            others.values().forEach(this::end);
            others = null;
        }
        if (memoryRetry != null) {
            memoryRetry.cancel();
            memoryRetry = null;
        }
    }

    private boolean isAwaited(MessageQueue queue) {
        return awaited != null && awaited.queue == queue || others != null && others.containsKey(queue);
    }

    private void awaitQueue(MessageQueue queue) {
        Turn turn = called;
        if (turn != null && turn.queue == queue) {
            called = null; // others were faster, and it keeps its place
        } else {
            turn = spare == null ? new Turn() : spare;
            spare = null;
            turn.queue = queue;
        }
        if (awaited == null) {
            awaited = turn;
        } else {
            others = others == null ? new HashMap<>() : others;
            others.put(queue, turn);
        }
        queue.awaitRoom(turn.waiter);
    }

    private void awaitMemory() {
        if (memoryRetry == null) {
            memoryRetry = loop.timers().schedule(MEMORY_RETRY_NS, () -> {
                memoryRetry = null;
                retry.run();
            });
        }
    }

    private void onRoom(Turn turn) {
        if (takeAwaited(turn)) {
            called = turn;
        }
        retry.run();
        served(); // or has had its turn and needs nothing any more
    }

    /** False when it is waited for no longer: it was called when that ended. */
    private boolean takeAwaited(Turn turn) {
        if (awaited == turn) {
            awaited = null;
            return true;
        }
        return others != null && turn.queue != null && others.remove(turn.queue, turn);
    }

    /** Takes a turn back, or says that it is over. */
    private void end(Turn turn) {
        MessageQueue queue = turn.queue;
        if (queue != null) {
            queue.stopAwaitingRoom(turn.waiter);
            turn.queue = null;
            spare = turn;
        }
    }

    /** The publisher's place among those who wait for room in one queue. */
    private final class Turn implements Runnable {
        private final RoomWaiter waiter = new RoomWaiter(loop, this);
        private @Nullable MessageQueue queue;

        @Override
        public void run() {
            onRoom(this);
        }
    }
}
