package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.publish.Patience;
import dev.avocet.core.publish.Room;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.room.RoomWaiter;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteTarget;
import dev.avocet.core.transaction.TransactedMessage;
import dev.avocet.core.transaction.TransactedTarget;
import dev.avocet.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds out where the messages of a transaction go, and takes room for all of them in all queues, or for none. While a
 * queue asks its publishers to wait, or the heap is too full for now, nothing is held, so two transactions cannot wait
 * for each other; who has waited long enough is refused. On the transaction's loop.
 */
final class TransactionRouting {
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Broker broker;
    private final Transaction transaction;
    private final IoLoop loop;
    private final Runnable whenRouted;
    private final Runnable whenRefused;
    private final Runnable whenUnroutable;
    private final long deadlineNs;

    /**
     * @param whenRouted one of the three is run, once
     * @param whenRefused there is no room
     * @param whenUnroutable a queue is not there, or takes nothing
     */
    TransactionRouting(
            Broker broker,
            Transaction transaction,
            Runnable whenRouted,
            Runnable whenRefused,
            Runnable whenUnroutable) {
        this.broker = broker;
        this.transaction = transaction;
        this.loop = transaction.loop();
        this.whenRouted = whenRouted;
        this.whenRefused = whenRefused;
        this.whenUnroutable = whenUnroutable;
        deadlineNs = loop.clock().nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(broker.options().backpressureMaxMs());
    }

    void begin() {
        List<Route> routes = new ArrayList<>(transaction.messages().size());
        for (Message message : transaction.messages()) {
            if (broker.refusalOf(message) != null) {
                whenUnroutable.run();
                return;
            }
            routes.add(broker.routeOf(message, loop));
        }
        Room room = takeRoom(routes);
        if (room instanceof Room.Granted granted) {
            granted.passedOver().forEach(queue -> queue.countRejected(loop));
            transaction.routed(routed(routes));
            whenRouted.run();
        } else if (room instanceof Room.Full full) {
            refuse(full.queue());
        } else if (room instanceof Room.Wait wait) {
            await(wait.queue());
        }
    }

    /**
     * Takes room in all queues, or in none when one that must not be passed over has none. What is granted names the
     * queues that are passed over, for each message that they miss.
     *
     * @param routes of the messages; queues that are passed over are taken out of them
     */
    private Room takeRoom(List<Route> routes) {
        Patience patience = deadlineNs - loop.clock().nanoTime() > 0 ? Patience.FOR_TAKERS : Patience.OVER;
        List<MessageQueue> passedOver = new ArrayList<>(0);
        for (int i = 0; i < routes.size(); i++) {
            Room room = RouteRoom.take(transaction.messages().get(i), routes.get(i), loop, patience);
            if (room instanceof Room.Granted granted) {
                routes.set(i, granted.in(routes.get(i)));
                passedOver.addAll(granted.passedOver());
            } else {
                for (int j = 0; j < i; j++) {
                    RouteRoom.giveBack(transaction.messages().get(j), routes.get(j));
                }
                return room;
            }
        }
        return new Room.Granted(null, passedOver);
    }

    private List<TransactedMessage> routed(List<Route> routes) {
        List<TransactedMessage> routed = new ArrayList<>(routes.size());
        for (int i = 0; i < routes.size(); i++) {
            Message message = transaction.messages().get(i);
            RouteTarget[] all = routes.get(i).targets();
            List<TransactedTarget> targets = new ArrayList<>(all.length);
            for (RouteTarget target : all) {
                if (mustTake(target, message)) {
                    targets.add(mustTake(target.queue(), message, target));
                } else if (target.wants(message)) {
                    targets.add(new TransactedTarget(
                            target.queue(), TransactedTarget.MAY_MISS, target.optionsFor(message)));
                }
            }
            routed.add(new TransactedMessage(message, targets));
        }
        return routed;
    }

    private TransactedTarget mustTake(MessageQueue queue, Message message, RouteTarget target) {
        long reference = StoredPublish.isStored(queue, message) ? queue.nextReference() : DeliverySource.NOT_STORED;
        return new TransactedTarget(queue, reference, target.optionsFor(message));
    }

    private static boolean mustTake(RouteTarget target, Message message) {
        return message.qos() != QualityOfService.AT_MOST_ONCE && RouteRoom.mustTake(target, message);
    }

    private void refuse(MessageQueue full) {
        full.countRejected(loop);
        whenRefused.run();
    }

    private void await(MessageQueue queue) {
        long leftNs = deadlineNs - loop.clock().nanoTime();
        if (leftNs <= 0) {
            refuse(queue);
        } else if (queue.hasRoom()) { // for some, and not for all: no event says when that changes
            loop.timers().schedule(Math.min(leftNs, RETRY_NS), this::begin);
        } else {
            new Wait(queue, leftNs).begin();
        }
    }

    /** One time of waiting for one queue, which ends with room or with the time. */
    private final class Wait {
        private final MessageQueue queue;
        private final long timeNs;
        private final RoomWaiter waiter = new RoomWaiter(this::callLoop);
        private boolean over;

        Wait(MessageQueue queue, long timeNs) {
            this.queue = queue;
            this.timeNs = timeNs;
        }

        void begin() {
            loop.timers().schedule(timeNs, this::end);
            queue.awaitRoom(waiter);
        }

        private void callLoop() {
            loop.execute(this::end);
        }

        private void end() {
            if (!over) {
                over = true;
                queue.stopAwaitingRoom(waiter);
                TransactionRouting.this.begin();
            }
        }
    }
}
