package dev.avocet.mqtt.connection;

import dev.avocet.mqtt.session.InFlight;
import dev.avocet.mqtt.session.OutboundWindow;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What was sent before a connection and not completed: it goes out first, in its old order [MQTT-4.4.0-1].
 *
 * <p>Owned by the connection's loop.
 */
final class Resending {
    private final OutboundWindow window;
    private final Deque<InFlight> left;

    /** With all that the session has in flight. */
    Resending(OutboundWindow window) {
        this.window = window;
        this.left = new ArrayDeque<>(window.inOrder());
        left.forEach(delivery -> {
            delivery.outstanding(false);
            window.noteAgain(delivery);
        });
    }

    boolean isDone() {
        return left.isEmpty();
    }

    /** Takes the next one; null when none is left, or what its state says is not durable yet. */
    @Nullable InFlight next() {
        while (!left.isEmpty() && window.isCommitted(left.element())) {
            InFlight delivery = left.remove();
            if (delivery.isOpen()) {
                return delivery;
            }
        }
        return null;
    }
}
