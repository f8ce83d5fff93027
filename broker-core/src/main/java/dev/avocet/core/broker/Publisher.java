package dev.avocet.core.broker;

import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.Standing;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.policy.ProtectionRule;
import dev.avocet.core.publish.Patience;
import dev.avocet.core.publish.PublishCompletion;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.publish.Room;
import dev.avocet.core.publish.RoomWait;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.time.TimerWheel.Timer;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.Route;
import java.util.ArrayDeque;
import java.util.Deque;
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

    private final Broker broker;
    private final IoLoop loop;
    private final @Nullable StoreWriter writer;
    private final PublishCompletion completion;
    private final HandOver handOver;
    private final ProtectionCheck protection;
    private final Deque<Waiting> waiting = new ArrayDeque<>(0);
    /** Fires when the first message has waited long enough, or earlier for one that waits no longer. */
    private @Nullable Timer deadline;

    private long deadlineNs;
    /** What it waits for; null until it has to wait for the first time, which most never have. */
    private @Nullable RoomWait roomWait;
    /**
     * Publishes whose answer waits for the store; what is published meanwhile is answered behind them [MQTT-4.6.0-2].
     */
    private int inStore;
    /** Its protocol does not ask for answers in the order of the messages. */
    private boolean refusesAtOnce;

    /** A message is published that had to wait. */
    private boolean retries;

    private boolean closed;

    /** @param writer the loop's way into the store, or null when nothing is kept on disk */
    Publisher(Broker broker, IoLoop loop, @Nullable StoreWriter writer, PublishCompletion completion) {
        this.broker = broker;
        this.loop = loop;
        this.writer = writer;
        this.completion = completion;
        this.handOver = new HandOver(broker.retaining(), loop, completion);
        this.protection = new ProtectionCheck(broker);
    }

    /**
     * What the standby has to have, and cannot get, is refused at once from now on, also while answers to earlier
     * messages wait for the store.
     */
    public void refusesAtOnce() {
        refusesAtOnce = true;
    }

    /** Publishes; the completion hears of {@link PublishOutcome#PENDING} ones later, in their order. */
    public PublishOutcome publish(Message message, CachedRoute<Route> route, long token) {
        ProtectionCheck.Unsealed unsealed = protection.unsealed(message);
        if (unsealed != null) {
            return setAside(unsealed, token);
        }
        if (!waiting.isEmpty()) {
            waiting.add(waiting(message, route, null, token));
            return PublishOutcome.PENDING;
        }
        return publish(message, route.route(), route, null, token);
    }

    /** The rule by which the destination of a message takes sealed ones only; null where there is none. */
    public @Nullable ProtectionRule protectionOf(Message message) {
        return protection.ruleOf(message);
    }

    /**
     * A message that its destination, or its receiver, does not take for how it is sealed goes to the error queue of
     * the policy. As {@link #publish}; {@link PublishOutcome#NOT_PROTECTED} where there is no such queue.
     *
     * @param reason what is wrong with it
     */
    public PublishOutcome setAside(Message message, String reason, long token) {
        ProtectionRule rule = protection.ruleOf(message);
        return rule == null
                ? PublishOutcome.NOT_PROTECTED
                : setAside(new ProtectionCheck.Unsealed(rule, reason, message), token);
    }

    private PublishOutcome setAside(ProtectionCheck.Unsealed unsealed, long token) {
        NamedQueue queue = broker.queues().find(unsealed.errorQueue());
        if (queue == null) {
            completion.onUnsealed(unsealed.original(), unsealed.reason());
            loop.counters().increment(Counter.PUBLISHES_REFUSED);
            return inOrder(PublishOutcome.NOT_PROTECTED, unsealed.original().qos(), token);
        }
        completion.onUnsealed(
                unsealed.original(), unsealed.reason() + "; it goes to queue '" + unsealed.errorQueue() + "'");
        Message kept = unsealed.forErrorQueue();
        Route route = Route.to(queue.queue(), Standing.of(kept).in(unsealed.why()));
        if (!waiting.isEmpty()) {
            waiting.add(waiting(kept, null, route, token));
            return PublishOutcome.PENDING;
        }
        return publish(kept, route, null, route, token);
    }

    /** Whether messages such as this one, of QoS 1, are worth being gathered for {@link #publishWhole}. */
    public boolean takesWhole(Message message, CachedRoute<Route> route) {
        return waiting.isEmpty()
                && inStore == 0
                && protection.ruleOf(message) == null
                && RunHandOver.mayTakeWhole(message, route.route(), loop);
    }

    /**
     * Publishes messages of QoS 1 if all of them are taken at once, which is their outcome then. Else nothing was
     * published, and each of them has to be by itself.
     */
    public boolean publishWhole(MessageRun run, CachedRoute<Route> route) {
        return run.size() > 1 && takesWhole(run.get(0), route) && RunHandOver.handOverWhole(run, route.route(), loop);
    }

    /** Whether messages such as this one, for one queue by name, are worth being gathered for {@link #sendWhole}. */
    public boolean takesWhole(Message message) {
        return MessageRun.maySend(message)
                && protection.ruleOf(message) == null
                && RunHandOver.mayTakeWhole(message, routeOfRun(message), loop);
    }

    /**
     * Sends messages, for the first of which {@link #takesWhole} was true in the same read, to the queue that all of
     * them name, if all of them are taken at once, which is their outcome then. Else nothing was sent, and each of them
     * has to be by itself.
     */
    public boolean sendWhole(MessageRun run) {
        Route route = routeOfRun(run.get(0));
        return run.size() > 1
                && RunHandOver.mayTakeWhole(run.get(0), route, loop)
                && RunHandOver.handOverWhole(run, route, loop);
    }

    /** To the queue, if nothing has to be done or told before. */
    private Route routeOfRun(Message first) {
        boolean isBehind = !waiting.isEmpty() || inStore > 0;
        NamedQueue queue = isBehind ? null : broker.queues().find(first.topic().text());
        return queue == null || !queue.allowsSend() ? Route.nowhere() : queue.route();
    }

    /**
     * Publishes messages whose outcome is not told. {@link PublishOutcome#PENDING} when some of them wait for room.
     */
    public PublishOutcome publish(MessageRun run, CachedRoute<Route> route) {
        if (run.size() > 1
                && waiting.isEmpty()
                && protection.ruleOf(run.get(0)) == null
                && RunHandOver.isPossible(run, route.route(), loop)) {
            RunHandOver.handOver(run, route.route(), handOver, loop);
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
        ProtectionCheck.Unsealed unsealed = protection.unsealed(message);
        if (unsealed != null) {
            return setAside(unsealed, token);
        }
        if (!waiting.isEmpty()) {
            waiting.add(waiting(message, null, null, token));
            return PublishOutcome.PENDING;
        }
        PublishOutcome refusal = broker.refusalOf(message);
        if (refusal != null) {
            loop.counters().increment(Counter.PUBLISHES_REFUSED);
            return inOrder(refusal, message.qos(), token);
        }
        return publish(message, broker.routeOf(message, loop), null, null, token);
    }

    /** @param fixed where the message goes, whatever changes while it waits; null where that may change */
    private PublishOutcome publish(
            Message message, Route route, @Nullable CachedRoute<Route> cached, @Nullable Route fixed, long token) {
        Room room = RouteRoom.take(message, route, loop, Patience.FOR_ALL);
        if (room instanceof Room.Granted granted) {
            return take(message, route, granted, token);
        }
        if (room instanceof Room.Full full) {
            return refuse(message, route, full.queue(), token);
        }
        if (room instanceof Room.Wait wait) {
            waiting.add(waiting(message, cached, fixed, token));
            armDeadline();
            roomWait().begin(wait);
        }
        return PublishOutcome.PENDING;
    }

    /**
     * What the client wants to publish it may not: that is told behind what is not known yet, as for {@link #publish}.
     */
    public PublishOutcome refuse(QualityOfService qos, long token) {
        loop.counters().increment(Counter.PUBLISHES_UNAUTHORIZED);
        return inOrder(PublishOutcome.NOT_AUTHORIZED, qos, token);
    }

    /** Room is granted: the message goes to its queues, through the store if anything of it has to survive. */
    private PublishOutcome take(Message message, Route whole, Room.Granted room, long token) {
        handOver.onPassedOver(whole, room.passedOver());
        Route route = room.in(whole);
        if (message.isForQueue() && route.targets().length == 0) { // the queue has gone while the message waited
            return inOrder(PublishOutcome.NO_SUCH_QUEUE, message.qos(), token);
        }
        StoreWriter store = writer;
        if (store == null) {
            return handOver.give(message, route);
        }
        if (message.qos() == QualityOfService.AT_MOST_ONCE) {
            PublishOutcome outcome = handOver.give(message, route);
            if (message.retain()) {
                StoredRetained.write(broker, store, message);
            }
            return outcome;
        }
        if (StoredPublish.isNeeded(message, route)) {
            return store(message, route, store, token);
        }
        if (inStore == 0) {
            return handOver.give(message, route);
        }
        inStore++;
        store.afterCommit(position -> onCommitted(token, handOver.give(message, route)));
        return PublishOutcome.PENDING;
    }

    private PublishOutcome store(Message message, Route route, StoreWriter store, long token) {
        if (!store.acceptsMessages() || !store.takes(message, route.targets().length)) {
            return refuse(message, route, PublishOutcome.STORE_FULL, token);
        }
        if (!store.isAttended()) {
            return refuse(message, route, PublishOutcome.STANDBY_AWAY, token);
        }
        inStore++;
        StoredPublish.write(broker.retaining(), store, message, route, this, token);
        completion.onStored(token);
        return PublishOutcome.PENDING;
    }

    private PublishOutcome refuse(Message message, Route route, PublishOutcome outcome, long token) {
        RouteRoom.giveBack(message, route);
        handOver.countRefused(route);
        if (outcome == PublishOutcome.STANDBY_AWAY && refusesAtOnce && !retries) {
            return outcome;
        }
        return inOrder(outcome, message.qos(), token);
    }

    private PublishOutcome refuse(Message message, Route route, MessageQueue full, long token) {
        handOver.onFull(message, route, full);
        return inOrder(PublishOutcome.QUOTA_EXCEEDED, message.qos(), token);
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

    /** How its messages come to their queues. */
    HandOver handOver() {
        return handOver;
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
        return (roomWait != null && roomWait.isForMemory())
                || (writer != null && inStore > 0 && writer.pendingBytes() > STORE_PENDING_MAX_BYTES);
    }

    private Waiting waiting(Message message, @Nullable CachedRoute<Route> route, @Nullable Route fixed, long token) {
        long patienceNs = TimeUnit.MILLISECONDS.toNanos(broker.options().backpressureMaxMs());
        return new Waiting(message, route, fixed, token, loop.batchNanoTime() + patienceNs);
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
        endRoomWait();
    }

    private void retry() {
        while (!waiting.isEmpty() && !closed) {
            Message message = waiting.element().message;
            Route route = routeOf(waiting.element());
            Room room = RouteRoom.take(message, route, loop, Patience.FOR_ALL);
            if (room instanceof Room.Wait wait) {
                roomWait().begin(wait);
                return;
            }
            if (room instanceof Room.Granted) {
                roomWait().served();
            }
            endFirst(route, room);
        }
    }

    /** What waits was told to go there, which may have changed. */
    private Route routeOf(Waiting first) {
        if (first.fixed != null) {
            return first.fixed;
        }
        CachedRoute<Route> cached = first.route;
        return cached != null && cached.isCurrent() ? cached.route() : broker.routeOf(first.message, loop);
    }

    /** If the time of the first one is over, it goes now, or not at all. */
    private void onDeadline() {
        deadline = null;
        if (!waiting.isEmpty() && waiting.element().deadlineNs - loop.clock().nanoTime() > 0) {
            armDeadline(); // another one had to be first when the timer was set
        } else if (!waiting.isEmpty()) {
            Message message = waiting.element().message;
            Route route = routeOf(waiting.element());
            endFirst(route, RouteRoom.take(message, route, loop, Patience.OVER));
            retry();
        }
    }

    /** The first one waits no longer, with either answer. */
    private void endFirst(Route route, Room room) {
        Waiting first = removeFirst();
        if (room instanceof Room.Granted granted) {
            retries = true; // what is told later is told in order
            PublishOutcome outcome = take(first.message, route, granted, first.token);
            retries = false;
            answer(first.token, outcome);
        } else if (room instanceof Room.Refused refused) {
            answer(first.token, refuse(first.message, route, refused.queue(), first.token));
        }
    }

    private void answer(long token, PublishOutcome outcome) {
        if (outcome != PublishOutcome.PENDING) {
            completion.onPublished(token, outcome);
        }
    }

    private Waiting removeFirst() {
        Waiting done = waiting.remove();
        if (waiting.isEmpty()) {
            endRoomWait();
        } else {
            armDeadline();
        }
        return done;
    }

    private RoomWait roomWait() {
        RoomWait present = roomWait;
        if (present == null) {
            present = new RoomWait(loop, this::retry);
            roomWait = present;
        }
        return present;
    }

    private void endRoomWait() {
        if (roomWait != null) {
            roomWait.end();
        }
    }

    /** Has the timer fire in time for the first one; one that fires before is left, as most wait a short time. */
    private void armDeadline() {
        long dueNs = waiting.element().deadlineNs;
        if (deadline != null && deadlineNs - dueNs <= 0) {
            return;
        }
        cancelDeadline();
        deadlineNs = dueNs;
        deadline = loop.timers().schedule(dueNs - loop.clock().nanoTime(), this::onDeadline);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    /** @param fixed where it goes for sure; null where the route, or its queue, says that */
    private record Waiting(
            Message message,
            @Nullable CachedRoute<Route> route,
            @Nullable Route fixed,
            long token,
            long deadlineNs) {}
}
