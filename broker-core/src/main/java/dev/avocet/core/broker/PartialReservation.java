package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.Reservation;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Room for a message in all queues of its route but those that are full and may be passed over. Made for one message,
 * from the moment on that the first such queue is met. Owned by the publisher's loop.
 */
final class PartialReservation {
    private final Message message;
    private final Route route;
    private final IoLoop loop;
    private final boolean mayWait;
    private final List<RouteTarget> taking;
    private final List<MessageQueue> passedOver = new ArrayList<>(1);

    /** @param granted how many of the first targets have granted room */
    PartialReservation(Message message, Route route, int granted, IoLoop loop, boolean mayWait) {
        this.message = message;
        this.route = route;
        this.loop = loop;
        this.mayWait = mayWait;
        this.taking = new ArrayList<>(Arrays.asList(route.targets()).subList(0, granted));
    }

    /**
     * Whether the publish goes on without a queue that did not grant room: it is full, and has waited if it wants to.
     */
    static boolean mayPassOver(MessageQueue queue, Reservation answer, IoLoop loop, boolean mayWait) {
        return queue.limits().mayBePassedOver()
                && (answer == Reservation.FULL || !mayWait)
                && loop.memory().buffersMessages(); // or else it is the broker that is full
    }

    /**
     * Asks the rest of the targets, the one that refused included. The publisher hears which of them take the message.
     */
    Reservation complete(Publisher publisher) {
        RouteTarget[] targets = route.targets();
        for (int i = taking.size(); i < targets.length; i++) {
            Reservation answer = ask(targets[i]);
            if (answer != Reservation.GRANTED) {
                release();
                publisher.noteFull(targets[i].queue());
                return answer;
            }
        }
        passedOver.forEach(queue -> queue.countRejected(loop));
        publisher.narrow(route.only(taking), passedOver.size());
        return Reservation.GRANTED;
    }

    private Reservation ask(RouteTarget target) {
        MessageQueue queue = target.queue();
        if (!Broker.mustTake(target, message)) {
            if (mayWait && Broker.slowsDown(target, message, loop)) {
                return Reservation.WAIT;
            }
            taking.add(target);
            return Reservation.GRANTED;
        }
        Reservation answer = queue.reserve();
        if (answer == Reservation.GRANTED) {
            taking.add(target);
        } else if (mayPassOver(queue, answer, loop, mayWait)) {
            passedOver.add(queue);
            return Reservation.GRANTED;
        }
        return answer;
    }

    private void release() {
        for (RouteTarget target : taking) {
            if (Broker.mustTake(target, message)) {
                target.queue().release();
            }
        }
    }
}
