package dev.avocet.mqtt.connection;

import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.mqtt.buffer.OutputBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The consumers of one connection that had a message for a client that could take none, in the order in which they
 * came. Each gets one turn when the client can; one that is busy again lines up behind the others.
 *
 * <p>Owned by the connection's loop.
 */
final class BusyConsumers {
    private final Deque<SubscriptionConsumer> line = new ArrayDeque<>(4);

    boolean isEmpty() {
        return line.isEmpty();
    }

    /** @param source where the message is that the consumer could not take */
    void add(SubscriptionConsumer consumer, DeliverySource source) {
        if (consumer.becomeBusy(source)) {
            line.add(consumer);
        }
    }

    void remove(SubscriptionConsumer consumer) {
        line.remove(consumer);
    }

    /** Gives each consumer that waits now one turn, as long as the client reads. */
    void turn(OutputBuffer output) {
        for (int turns = line.size(); turns > 0 && output.isWritable(); turns--) {
            SubscriptionConsumer next = line.poll();
            if (next == null) {
                return; // a turn before this one has removed it
            }
            next.becomeFree();
        }
    }
}
