package dev.avocet.core.publish;

import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.topic.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer of {@code RouteRoom} to the wish for room in the queues of a route. Immutable. */
public sealed interface Room {
    /** Granted by every queue that must take the message; one object, as it is the answer to nearly all messages. */
    Granted EVERYWHERE = new Granted(null, List.of());

    /**
     * Every queue that must take the message and is not passed over has granted room. It must be used, or given back by
     * {@code RouteRoom.giveBack}.
     *
     * @param narrowed the route without the queues that are passed over; null when there are none
     * @param passedOver full queues that go without the message
     */
    record Granted(@Nullable Route narrowed, List<MessageQueue> passedOver) implements Room {
        /** Where the message goes. */
        public Route in(Route whole) {
            return narrowed == null ? whole : narrowed;
        }
    }

    /** Nothing is taken. */
    sealed interface Refused extends Room {
        /** The queue because of which nothing is. */
        MessageQueue queue();
    }

    /** The queue has no room and does not ask its publishers to wait. */
    record Full(MessageQueue queue) implements Refused {}

    /**
     * The message has to wait.
     *
     * @param forMemory true when the queue has room and the heap has not, for now: no event says when that changes
     */
    record Wait(MessageQueue queue, boolean forMemory) implements Refused {}
}
