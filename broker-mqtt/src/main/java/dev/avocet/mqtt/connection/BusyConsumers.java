package dev.avocet.mqtt.connection;

import dev.avocet.core.queue.DeliverySource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The consumers of one connection that had a message for a client that could take none, in the order in which they
 * came. Each gets one turn when the client can; one that is busy again lines up behind the others.
 *
 * <p>Owned by the connection's loop.
 */
final class BusyConsumers {
    /** Null until the first one waits. */
    private @Nullable Deque<SubscriptionConsumer> line;

    boolean isEmpty() {
        return line == null || line.isEmpty();
    }

    /** @param source where the message is that the consumer could not take */
    void add(SubscriptionConsumer consumer, DeliverySource source) {
        if (consumer.becomeBusy(source)) {
            if (line == null) {
                line = new ArrayDeque<>(4);
            }
            line.add(consumer);
        }
    }

    void remove(SubscriptionConsumer consumer) {
        if (line != null) {
            line.remove(consumer);
        }
    }

    /** Gives each consumer that waits now one turn, as long as the client reads. */
    void turn(OutputBuffer output) {
        Deque<SubscriptionConsumer> waiting = line;
        int turns = waiting == null ? 0 : waiting.size();
        for (; turns > 0 && output.isWritable(); turns--) {
            SubscriptionConsumer next = waiting.poll();
            if (next == null) {
                return; // a turn before this one has removed it
            }
            next.becomeFree();
        }
    }

    void clear() {
        line = null;
    }
}
