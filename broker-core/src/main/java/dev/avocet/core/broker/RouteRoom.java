package dev.avocet.core.broker;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.publish.Patience;
import dev.avocet.core.publish.Room;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes room for messages in all queues of their routes, or in none, and gives it back. The only place that knows which
 * queue must take a message, which one may be passed over and for which one the message waits. On the publisher's loop.
 */
final class RouteRoom {
    private RouteRoom() {}

    /**
     * Takes room for the message in every queue of the route that must take it, or in none. A full queue that may be
     * passed over is. A message of QoS 0, or one that a subscription wants at QoS 0, never fails as a whole; it waits
     * for a full queue that slows its publishers down, and for no other.
     */
    static Room take(Message message, Route route, IoLoop loop, Patience patience) {
        RouteTarget[] targets = route.targets();
        if (message.qos() == QualityOfService.AT_MOST_ONCE) {
            return patience == Patience.FOR_ALL ? awaitSlowing(targets, message, loop) : Room.EVERYWHERE;
        }
        Narrowing narrowing = null;
        for (int i = 0; i < targets.length; i++) {
            Reservation answer = ask(targets[i], message, loop, patience);
            if (answer == Reservation.GRANTED) {
                if (narrowing != null) {
                    narrowing.taking.add(targets[i]);
                }
            } else if (mayPassOver(targets[i].queue(), answer, loop, patience)) {
                narrowing = narrowing == null ? new Narrowing(targets, i) : narrowing;
                narrowing.passedOver.add(targets[i].queue());
            } else {
                giveBack(message, narrowing == null ? Arrays.asList(targets).subList(0, i) : narrowing.taking);
                return refusal(targets[i].queue(), answer, message, loop);
            }
        }
        return narrowing == null ? Room.EVERYWHERE : narrowing.granted(route);
    }

    /**
     * Takes room for a run that is not to be stored in every queue of the route, or in none when one has no room for
     * all of it.
     */
    static boolean takeWhole(MessageRun run, Route route) {
        RouteTarget[] targets = route.targets();
        for (int i = 0; i < targets.length; i++) {
            if (!targets[i].queue().reserveUnstored(run)) {
                for (int j = 0; j < i; j++) {
                    targets[j].queue().release(run.size());
                }
                return false;
            }
        }
        return true;
    }

    /**
     * Gives back the room that was granted for a message.
     *
     * @param route where the message was to go, without the queues that were passed over
     */
    static void giveBack(Message message, Route route) {
        if (message.qos() != QualityOfService.AT_MOST_ONCE) {
            giveBack(message, Arrays.asList(route.targets()));
        }
    }

    private static void giveBack(Message message, List<RouteTarget> targets) {
        for (RouteTarget target : targets) {
            if (mustTake(target, message)) {
                target.queue().release();
            }
        }
    }

    /** Whether a target of a message of QoS 1 or 2 may not go without it. */
    static boolean mustTake(RouteTarget target, Message message) {
        if (target.qos() == QualityOfService.AT_MOST_ONCE || !target.wants(message)) {
            return false;
        }
        DeliveryOptions options = target.optionsFor(message); // its owner may want less of what it publishes itself
        return options == null || options.qos() != QualityOfService.AT_MOST_ONCE;
    }

    private static Reservation ask(RouteTarget target, Message message, IoLoop loop, Patience patience) {
        MessageQueue queue = target.queue();
        if (mustTake(target, message)) {
            return message.isPersistent() ? queue.reserve() : queue.reserveUnstored();
        }
        boolean waits = patience == Patience.FOR_ALL && slowsDown(target, message, loop);
        return waits ? Reservation.WAIT : Reservation.GRANTED;
    }

    private static Room awaitSlowing(RouteTarget[] targets, Message message, IoLoop loop) {
        for (RouteTarget target : targets) {
            if (slowsDown(target, message, loop)) {
                return new Room.Wait(target.queue(), false);
            }
        }
        return Room.EVERYWHERE;
    }

    private static boolean slowsDown(RouteTarget target, Message message, IoLoop loop) {
        return target.queue().slowsPublishers(loop) && target.wants(message);
    }

    /** Whether the publish goes on without a queue that grants no room: it is full, and has waited if it wants to. */
    private static boolean mayPassOver(MessageQueue queue, Reservation answer, IoLoop loop, Patience patience) {
        return queue.limits().mayBePassedOver()
                && (answer == Reservation.FULL || patience == Patience.OVER)
                && loop.memory().buffersMessages(); // or else it is the broker that is full
    }

    private static Room refusal(MessageQueue queue, Reservation answer, Message message, IoLoop loop) {
        boolean forMemory = isShortForNow(queue, message, loop);
        boolean waits = answer == Reservation.WAIT || forMemory;
        return waits ? new Room.Wait(queue, forMemory) : new Room.Full(queue);
    }

    /**
     * Whether a queue that has refused a message would take it if the heap were not as full as it is now, which will
     * pass; or may pass, if publishers are to wait for the queue anyway.
     */
    private static boolean isShortForNow(MessageQueue refusing, Message message, IoLoop loop) {
        MemoryGuard memory = loop.memory();
        boolean waits = memory.isShortForNow()
                || !memory.storesMessages() && refusing.limits().behavior() == FullBehavior.BACKPRESSURE;
        return waits && StoredPublish.isStored(refusing, message) && refusing.hasRoom();
    }

    /** The targets of a message that is not for all of them; made when the first queue is passed over. */
    private static final class Narrowing {
        private final List<RouteTarget> taking;
        private final List<MessageQueue> passedOver = new ArrayList<>(1);

        /** @param granted how many of the first targets have granted room */
        Narrowing(RouteTarget[] targets, int granted) {
            taking = new ArrayList<>(Arrays.asList(targets).subList(0, granted));
        }

        Room granted(Route whole) {
            return new Room.Granted(whole.only(taking), passedOver);
        }
    }
}
