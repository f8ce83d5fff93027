package dev.avocet.jms.client.session;

import dev.avocet.jms.client.wire.ReceiverEvents;
import dev.avocet.jms.client.wire.ReceiverSpec;
import dev.avocet.jms.client.wire.WireReceiver;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.jspecify.annotations.Nullable;

/**
 * Ends a durable subscription with what it holds: a link to it, which takes nothing, is closed for good.
 */
final class SubscriptionEnd implements ReceiverEvents {
    private SubscriptionEnd() {}

    static void of(final @Nullable String name, final JmsConnection connection) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException(
                    "unsubscribe needs the name of a durable subscription; it was given none");
        }
        final boolean global = !connection.hasClientId();
        final String link = global ? name + "|global" : name;
        if (connection.subscriptions().isUsed(link)) {
            throw new IllegalStateException("the subscription " + name + " has consumers");
        }
        final List<String> capabilities = global ? List.of("shared", "global") : List.of();
        final ReceiverSpec spec = new ReceiverSpec(link, null, capabilities, null, false, true, false, false);
        final CompletableFuture<WireReceiver> made = new CompletableFuture<>();
        connection.onLoop(
                () -> {
                    final WireReceiver receiver = connection.sessions().own().receiver(spec, new SubscriptionEnd());
                    made.complete(receiver);
                    return receiver.opened();
                },
                "looking for the subscription " + name);
        connection.onLoop(() -> made.join().close(true), "ending the subscription " + name);
    }

    @Override
    public void arrived(final byte[] message, final IncomingDelivery delivery) {
        // No credit, no message.
    }

    @Override
    public void readComplete() {
        // As above.
    }

    @Override
    public void restored() {
        // Nothing is held.
    }

    @Override
    public void interrupted() {
        // Nothing is held.
    }

    @Override
    public void ended(final WireException cause) {
        // The future tells.
    }
}
