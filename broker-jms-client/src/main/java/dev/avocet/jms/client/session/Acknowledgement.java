package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.message.Acknowledger;
import dev.avocet.jms.client.wire.WireReceiver;
import dev.avocet.jms.client.wire.WireTransaction;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * How a session acknowledges what its application consumes: one class for each acknowledge mode. Of the session's
 * thread.
 */
abstract class Acknowledgement {
    final JmsSession session;

    /** What the application has and has not acknowledged, the oldest first. */
    private final List<Delivered> delivered = new ArrayList<>();

    Acknowledgement(final JmsSession session) {
        this.session = session;
    }

    /** A receive() is about to return it. */
    abstract void received(Delivered now) throws JMSException;

    /** A message listener is about to be called with it. */
    void handed(final Delivered now) {
        delivered.add(now);
    }

    /** The listener has returned, and has not recovered the session. */
    void handled(final Delivered now) {
        // Most modes wait for the application.
    }

    /** What a message's own acknowledge() does; null for one that came settled, where it is nothing. */
    abstract @Nullable Acknowledger acknowledger(JmsConsumer consumer, IncomingDelivery delivery);

    /** A context's acknowledge(). */
    void acknowledgeAll() throws JMSException {
        // For one mode only.
    }

    /** Sends what is collected. */
    void flush() {
        // Most modes collect nothing.
    }

    /** Neither the application nor a transaction manager says when: the session does, by itself. */
    boolean isAutomatic() {
        return false;
    }

    /** The application commits and rolls back, or a transaction manager does. */
    boolean isTransacted() {
        return false;
    }

    /** The transaction that what is sent now belongs to; null: none. */
    @Nullable WireTransaction transaction() {
        return null;
    }

    /** A send failed for which no caller waits. From the event loop. */
    void sendFailed(final @Nullable WireTransaction in, final WireException cause) {
        session.connection().tell(Failures.of(cause));
    }

    void add(final Delivered now) {
        delivered.add(now);
    }

    boolean remove(final Delivered one) {
        return delivered.remove(one);
    }

    boolean isEmpty() {
        return delivered.isEmpty();
    }

    boolean holds(final JmsConsumer consumer) {
        return delivered.stream().anyMatch(one -> one.consumer().equals(consumer));
    }

    List<Delivered> takeDelivered() {
        final List<Delivered> all = List.copyOf(delivered);
        delivered.clear();
        return all;
    }

    void accept(final Delivered one) {
        settle(one, WireReceiver.ACCEPTED);
    }

    void settle(final Delivered one, final DeliveryState state) {
        session.connection().wire().acknowledge(() -> one.settle(state));
    }

    void accept(final List<Delivered> all) {
        if (all.isEmpty()) {
            return;
        }
        session.connection().wire().run(() -> {
            for (final Delivered one : all) {
                one.settle(WireReceiver.ACCEPTED);
            }
        });
    }
}
