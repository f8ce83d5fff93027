package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.Reservation;
import dev.avocet.core.time.TimerWheel.Timer;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.Route;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One publishing connection. Keeps its messages in order when a queue asks it to wait: what is published meanwhile waits behind.
 * A message waits for a bounded time and is then refused, so two clients that fill each other's queues cannot wait for ever.
 *
 * <p>Owned by the connection's loop.
 */
public final class Publisher {
    private final Broker broker;
    private final IoLoop loop;
    private final PublishCompletion completion;
    private final Deque<Waiting> waiting = new ArrayDeque<>(0);
    /** Queues that will call when they have room, and how; each once, however often it was found full. */
    private final Map<MessageQueue, Runnable> awaited = new HashMap<>(0);

    private @Nullable Timer deadline;
    private @Nullable MessageQueue full;
    private boolean closed;

    Publisher(Broker broker, IoLoop loop, PublishCompletion completion) {
        this.broker = broker;
        this.loop = loop;
        this.completion = completion;
    }

    /** Publishes; the completion hears of {@link PublishOutcome#PENDING} ones later, in their order. */
    public PublishOutcome publish(Message message, CachedRoute<Route> route, long token) {
        if (!waiting.isEmpty()) {
            waiting.add(waiting(message, token));
            return PublishOutcome.PENDING;
        }
        return switch (broker.tryPublish(message, route.route(), this, loop, true)) {
            case GRANTED -> broker.outcome(message, route.route(), loop);
            case FULL -> refused();
            case WAIT -> {
                waiting.add(waiting(message, token));
                armDeadline();
                awaitRoom();
                yield PublishOutcome.PENDING;
            }
        };
    }

    private Waiting waiting(Message message, long token) {
        long patienceNs = TimeUnit.MILLISECONDS.toNanos(broker.options().backpressureMaxMs());
        return new Waiting(message, token, loop.clock().nanoTime() + patienceNs);
    }

    /** Messages that wait for room. The connection bounds them: by the receive maximum, and by not reading on. */
    public int waitingCount() {
        return waiting.size();
    }

    /** The connection is gone: what waits is dropped, as nobody has been told that it was taken. */
    public void close() {
        closed = true;
        waiting.clear();
        cancelDeadline();
        stopAwaitingRoom();
    }

    /** The queue because of which an attempt failed. */
    void noteFull(MessageQueue queue) {
        full = queue;
    }

    private void awaitRoom() {
        MessageQueue queue = full;
        full = null;
        if (queue != null && !awaited.containsKey(queue)) {
            Runnable call = () -> loop.execute(() -> onRoom(queue));
            awaited.put(queue, call);
            queue.awaitRoom(call);
        }
    }

    /** A queue that stays full, as its client is away, would keep this publisher for as long. */
    private void stopAwaitingRoom() {
        awaited.forEach(MessageQueue::stopAwaitingRoom);
        awaited.clear();
    }

    private void onRoom(MessageQueue queue) {
        awaited.remove(queue);
        retry();
    }

    private void retry() {
        while (!waiting.isEmpty() && !closed) {
            Message message = waiting.element().message;
            Route route = broker.route(message.topic(), loop).route();
            switch (broker.tryPublish(message, route, this, loop, true)) {
                case GRANTED -> complete(broker.outcome(message, route, loop));
                case FULL -> complete(refused());
                case WAIT -> {
                    awaitRoom();
                    return;
                }
            }
        }
    }

    /** The time of the first one is over: it goes now, or not at all. */
    private void endWaitOfFirst() {
        deadline = null;
        if (!waiting.isEmpty()) {
            Message message = waiting.element().message;
            Route route = broker.route(message.topic(), loop).route();
            boolean taken = broker.tryPublish(message, route, this, loop, false) == Reservation.GRANTED;
            complete(taken ? broker.outcome(message, route, loop) : refused());
            retry();
        }
    }

    private PublishOutcome refused() {
        if (full != null) {
            full.countRejected(loop);
            full = null;
        }
        loop.counters().increment(Counter.PUBLISHES_REFUSED);
        return PublishOutcome.QUOTA_EXCEEDED;
    }

    private void complete(PublishOutcome outcome) {
        Waiting done = waiting.remove();
        cancelDeadline();
        if (waiting.isEmpty()) {
            stopAwaitingRoom();
        } else {
            armDeadline();
        }
        completion.onPublished(done.token, outcome);
    }

    private void armDeadline() {
        long delayNs = waiting.element().deadlineNs - loop.clock().nanoTime();
        deadline = loop.timers().schedule(delayNs, this::endWaitOfFirst);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    private record Waiting(Message message, long token, long deadlineNs) {}
}
