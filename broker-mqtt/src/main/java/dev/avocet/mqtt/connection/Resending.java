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
    /** Null when nothing is left. */
    private @Nullable Deque<InFlight> left;

    Resending(OutboundWindow window) {
        this.window = window;
    }

    /** Begins with all that the session has in flight. */
    void begin() {
        if (window.size() > 0) {
            Deque<InFlight> all = new ArrayDeque<>(window.inOrder());
            all.forEach(delivery -> {
                delivery.outstanding(false);
                window.noteAgain(delivery);
            });
            left = all;
        }
    }

    boolean isDone() {
        return left == null;
    }

    /** Takes the next one; null when none is left, or what its state says is not durable yet. */
    @Nullable InFlight next() {
        Deque<InFlight> remaining = left;
        while (remaining != null && !remaining.isEmpty() && window.isCommitted(remaining.element())) {
            InFlight delivery = remaining.remove();
            if (delivery.isOpen()) {
                endIfEmpty(remaining);
                return delivery;
            }
        }
        endIfEmpty(remaining);
        return null;
    }

    private void endIfEmpty(@Nullable Deque<InFlight> remaining) {
        if (remaining != null && remaining.isEmpty()) {
            left = null;
        }
    }

    void close() {
        left = null;
    }
}
