package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.Reservation;
import dev.avocet.core.store.StoreWriter;
import dev.avocet.core.time.TimerWheel.Timer;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.TopicFigures;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One publishing connection. Keeps its messages in order when a queue asks it to wait, or when the heap is too full for
 * now to take what will be stored: what is published meanwhile waits behind. A message waits for a bounded time and is
 * then refused, so two clients that fill each other's queues cannot wait for ever.
 *
 * <p>Owned by the connection's loop.
 */
public final class Publisher {
    /** Bytes of all publishers that may wait for the disk before no more are read: they wait in memory. */
    private static final long STORE_PENDING_MAX_BYTES =
            Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);

    /** No event says when there is memory again. */
    private static final long MEMORY_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Broker broker;
    private final IoLoop loop;
    private final @Nullable StoreWriter writer;
    private final PublishCompletion completion;
    private final Deque<Waiting> waiting = new ArrayDeque<>(0);
    /** Queues that will call when they have room, and how; each once, however often it was found full. */
    private final Map<MessageQueue, Runnable> awaited = new HashMap<>(0);

    /** The queue that has called, while that is answered and nothing has been taken yet, and how it did. */
    private @Nullable MessageQueue calledBy;

    private @Nullable Runnable called;
    private @Nullable Timer deadline;
    private @Nullable Timer memoryRetry;
    private @Nullable MessageQueue full;
    /** Where the message goes for which room was granted last, when not everywhere. */
    private @Nullable Route narrowed;
    /**
     * Publishes whose answer waits for the store; what is published meanwhile is answered behind them [MQTT-4.6.0-2].
     */
    private int inStore;

    private boolean closed;

    /** @param writer the loop's way into the store, or null when nothing is kept on disk */
    Publisher(Broker broker, IoLoop loop, @Nullable StoreWriter writer, PublishCompletion completion) {
        this.broker = broker;
        this.loop = loop;
        this.writer = writer;
        this.completion = completion;
    }

    /** Publishes; the completion hears of {@link PublishOutcome#PENDING} ones later, in their order. */
    public PublishOutcome publish(Message message, CachedRoute<Route> route, long token) {
        if (!waiting.isEmpty()) {
            waiting.add(waiting(message, token));
            return PublishOutcome.PENDING;
        }
        return publish(message, route.route(), token);
    }

    /** Whether messages such as this one, of QoS 1, are worth being gathered for {@link #publishWhole}. */
    public boolean takesWhole(Message message, CachedRoute<Route> route) {
        return waiting.isEmpty() && inStore == 0 && RunHandOver.mayTakeWhole(message, route.route(), loop);
    }

    /**
     * Publishes messages of QoS 1 if all of them are taken at once, which is their outcome then. Else nothing was
     * published, and each of them has to be by itself.
     */
    public boolean publishWhole(MessageRun run, CachedRoute<Route> route) {
        return run.size() > 1 && takesWhole(run.get(0), route) && RunHandOver.handOverWhole(run, route.route(), loop);
    }

    /**
     * Publishes messages whose outcome is not told. {@link PublishOutcome#PENDING} when some of them wait for room.
     */
    public PublishOutcome publish(MessageRun run, CachedRoute<Route> route) {
        if (run.size() > 1 && waiting.isEmpty() && RunHandOver.isPossible(run, route.route(), loop)) {
            RunHandOver.handOver(run, route.route(), this, loop);
            return PublishOutcome.ACCEPTED;
        }
        PublishOutcome last = PublishOutcome.ACCEPTED;
        for (int i = 0; i < run.size(); i++) {
            last = publish(run.get(i), route, 0);
        }
        return last; // behind one that waits they all do
    }

    /**
     * Sends a message to the queue that it names. As {@link #publish}; {@link PublishOutcome#NO_SUCH_QUEUE} and
     * {@link PublishOutcome#SEND_NOT_ALLOWED} are told in order with the others.
     */
    public PublishOutcome send(Message message, long token) {
        if (!waiting.isEmpty()) {
            waiting.add(waiting(message, token));
            return PublishOutcome.PENDING;
        }
        PublishOutcome refusal = broker.refusalOf(message);
        if (refusal != null) {
            loop.counters().increment(Counter.PUBLISHES_REFUSED);
            return inOrder(refusal, message.qos(), token);
        }
        return publish(message, broker.routeOf(message, loop), token);
    }

    private PublishOutcome publish(Message message, Route route, long token) {
        return switch (reserve(message, route)) {
            case GRANTED -> take(message, route, token);
            case FULL -> inOrder(refused(message, route), message.qos(), token);
            case WAIT -> {
                waiting.add(waiting(message, token));
                armDeadline();
                awaitRoom();
                yield PublishOutcome.PENDING;
            }
        };
    }

    /** As the broker says, but who is refused only for want of memory that will soon be there waits for it. */
    private Reservation reserve(Message message, Route route) {
        Reservation answer = broker.reserve(message, route, this, loop, true);
        MessageQueue refusing = full;
        boolean waits = answer == Reservation.FULL && refusing != null && Broker.isShortForNow(refusing, message, loop);
        return waits ? Reservation.WAIT : answer;
    }

    /**
     * What the client wants to publish it may not: that is told behind what is not known yet, as for {@link #publish}.
     */
    public PublishOutcome refuse(QualityOfService qos, long token) {
        loop.counters().increment(Counter.PUBLISHES_UNAUTHORIZED);
        return inOrder(PublishOutcome.NOT_AUTHORIZED, qos, token);
    }

    /** Room is granted: the message goes to its queues, through the store if anything of it has to survive. */
    private PublishOutcome take(Message message, Route whole, long token) {
        Route route = narrowed == null ? whole : narrowed;
        narrowed = null;
        if (message.isForQueue() && route.targets().length == 0) { // the queue has gone while the message waited
            return inOrder(PublishOutcome.NO_SUCH_QUEUE, message.qos(), token);
        }
        StoreWriter store = writer;
        if (store == null) {
            return handOver(message, route);
        }
        if (message.qos() == QualityOfService.AT_MOST_ONCE) {
            PublishOutcome outcome = handOver(message, route);
            if (message.retain()) {
                StoredRetained.write(broker, store, message);
            }
            return outcome;
        }
        if (StoredPublish.isNeeded(message, route)) {
            if (!store.acceptsMessages() || !store.takes(message, route.targets().length)) {
                broker.release(message, route);
                countRefused(route);
                return inOrder(PublishOutcome.STORE_FULL, message.qos(), token);
            }
            inStore++;
            StoredPublish.write(broker, store, message, route, this, token);
            completion.onStored(token);
            return PublishOutcome.PENDING;
        }
        if (inStore == 0) {
            return handOver(message, route);
        }
        inStore++;
        store.afterCommit(position -> onCommitted(token, handOver(message, route)));
        return PublishOutcome.PENDING;
    }

    private PublishOutcome handOver(Message message, Route route) {
        long before = rejections();
        PublishOutcome outcome = broker.handOver(message, route, loop);
        onTaken(route, before);
        return outcome;
    }

    /**
     * What the loop's queues have refused up to now: what comes on top of that while a message is handed over is
     * refusals of that one.
     */
    long rejections() {
        return loop.counters().get(Counter.MESSAGES_REJECTED);
    }

    /**
     * A message was given to its queues.
     *
     * @param before {@link #rejections} before that
     */
    void onTaken(Route route, long before) {
        for (TopicFigures monitor : route.monitors()) {
            monitor.countPublished(loop.index());
        }
        noteRejections(route, before);
    }

    /** The same for one that is counted elsewhere. */
    void noteRejections(Route route, long before) {
        long rejections = rejections() - before;
        if (rejections > 0) {
            onPassedOver(route, rejections);
        }
    }

    private void onPassedOver(Route route, long subscriptions) {
        completion.onPassedOver();
        for (TopicFigures monitor : route.monitors()) {
            monitor.countRejected(loop.index(), subscriptions);
        }
    }

    private void countRefused(Route route) {
        loop.counters().increment(Counter.PUBLISHES_REFUSED);
        for (TopicFigures monitor : route.monitors()) {
            monitor.countFailed(loop.index());
        }
    }

    /** An outcome that is known now, told behind those that are not. */
    private PublishOutcome inOrder(PublishOutcome outcome, QualityOfService qos, long token) {
        if (inStore == 0 || writer == null || qos == QualityOfService.AT_MOST_ONCE) {
            return outcome;
        }
        inStore++;
        writer.afterCommit(position -> onCommitted(token, outcome));
        return PublishOutcome.PENDING;
    }

    /** The store has what it was given, or what came before it. */
    void onCommitted(long token, PublishOutcome outcome) {
        inStore--;
        if (!closed) {
            completion.onPublished(token, outcome);
        }
    }

    /**
     * True while so much waits for the disk, or so little memory is left, that the client should not be read for the
     * time being.
     */
    public boolean isHeldUpByStore() {
        return memoryRetry != null
                || (writer != null && inStore > 0 && writer.pendingBytes() > STORE_PENDING_MAX_BYTES);
    }

    private Waiting waiting(Message message, long token) {
        long patienceNs = TimeUnit.MILLISECONDS.toNanos(broker.options().backpressureMaxMs());
        return new Waiting(message, token, loop.clock().nanoTime() + patienceNs);
    }

    /** Messages that wait for room. The connection bounds them: by the receive maximum, and by not reading on. */
    public int waitingCount() {
        return waiting.size();
    }

    /** The connection is gone: what waits is dropped, as its sender was not told that it was taken. */
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

    /** Some queues have refused the message that is being published and are passed over: that many. */
    void narrow(Route route, int passedOver) {
        narrowed = route;
        onPassedOver(route, passedOver);
    }

    private void awaitRoom() {
        MessageQueue queue = full;
        full = null;
        if (queue != null && Broker.isShortForNow(queue, waiting.element().message, loop)) {
            awaitMemory();
        } else if (queue != null && !awaited.containsKey(queue)) {
            Runnable call = queue == calledBy ? called : null;
            if (call == null) {
                call = () -> loop.execute(() -> onRoom(queue));
            } else {
                called = null; // others were faster, and it keeps its place
            }
            awaited.put(queue, call);
            queue.awaitRoom(call);
        }
    }

    private void awaitMemory() {
        if (memoryRetry == null) {
            memoryRetry = loop.timers().schedule(MEMORY_RETRY_NS, () -> {
                memoryRetry = null;
                retry();
            });
        }
    }

    /** A queue that stays full, as its client is away, would keep this publisher for as long. */
    private void stopAwaitingRoom() {
        awaited.forEach(MessageQueue::stopAwaitingRoom);
        awaited.clear();
        if (memoryRetry != null) {
            memoryRetry.cancel();
            memoryRetry = null;
        }
    }

    private void onRoom(MessageQueue queue) {
        Runnable call = awaited.remove(queue);
        calledBy = queue;
        called = call;
        retry();
        if (call != null && awaited.get(queue) != call) {
            queue.stopAwaitingRoom(call); // it has had its turn
        }
        calledBy = null;
        called = null;
    }

    private void retry() {
        while (!waiting.isEmpty() && !closed) {
            Message message = waiting.element().message;
            Route route = broker.routeOf(message, loop);
            switch (reserve(message, route)) {
                case GRANTED -> {
                    calledBy = null; // who has got something waits behind the others for more
                    complete(route);
                }
                case FULL -> complete(refused(message, route));
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
            Route route = broker.routeOf(message, loop);
            if (broker.reserve(message, route, this, loop, false) == Reservation.GRANTED) {
                complete(route);
            } else {
                complete(refused(message, route));
            }
            retry();
        }
    }

    private PublishOutcome refused(Message message, Route route) {
        MessageQueue refusing = full;
        if (refusing != null) {
            refusing.countRejected(loop);
            completion.onFull(message, refusing);
            full = null;
            for (TopicFigures monitor : route.monitors()) {
                monitor.countRejected(loop.index(), 1);
            }
        }
        countRefused(route);
        return PublishOutcome.QUOTA_EXCEEDED;
    }

    /** The first one has got its room. */
    private void complete(Route route) {
        Waiting done = removeFirst();
        answer(done.token, take(done.message, route, done.token));
    }

    private void complete(PublishOutcome outcome) {
        Waiting done = removeFirst();
        answer(done.token, inOrder(outcome, done.message.qos(), done.token));
    }

    private void answer(long token, PublishOutcome outcome) {
        if (outcome != PublishOutcome.PENDING) {
            completion.onPublished(token, outcome);
        }
    }

    private Waiting removeFirst() {
        Waiting done = waiting.remove();
        cancelDeadline();
        if (waiting.isEmpty()) {
            stopAwaitingRoom();
        } else {
            armDeadline();
        }
        return done;
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
