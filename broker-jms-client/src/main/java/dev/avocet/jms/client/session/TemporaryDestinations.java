package dev.avocet.jms.client.session;

import dev.avocet.jms.client.message.DestinationKind;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsTemporaryQueue;
import dev.avocet.jms.client.message.JmsTemporaryTopic;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.wire.SenderSpec;
import dev.avocet.jms.client.wire.WireSender;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The temporary destinations of a connection: links of the connection's own session, which live as long as they. From
 * any thread.
 */
final class TemporaryDestinations {
    private final JmsConnection connection;
    private final Map<JmsDestination, WireSender> links = new ConcurrentHashMap<>();

    TemporaryDestinations(final JmsConnection connection) {
        this.connection = connection;
    }

    JmsDestination create(final DestinationKind kind) throws JMSException {
        final CompletableFuture<WireSender> made = new CompletableFuture<>();
        final String name = connection.onLoop(
                () -> {
                    final WireSender link = connection
                            .sessions()
                            .own()
                            .sender(new SenderSpec(
                                    connection.nextName(kind.capability()),
                                    null,
                                    kind.capability(),
                                    true,
                                    prefix(kind)));
                    made.complete(link);
                    return link.opened();
                },
                "creating a " + kind.capability());
        final JmsDestination destination =
                kind.isTopic() ? new JmsTemporaryTopic(name, connection) : new JmsTemporaryQueue(name, connection);
        links.put(destination, made.join());
        return destination;
    }

    /** What its name is to begin with; null: as the server likes. */
    private @Nullable String prefix(final DestinationKind kind) {
        final Option option = kind.isTopic() ? Option.TEMPORARY_TOPIC : Option.TEMPORARY_QUEUE;
        final String wanted = connection.options().text(option);
        return wanted.isEmpty() ? null : wanted.replace("$CLIENTID", connection.containerId());
    }

    /** Does nothing where it is deleted already. */
    void delete(final JmsDestination destination) throws JMSException {
        final WireSender link = links.remove(destination);
        if (link != null) {
            connection.onLoop(link::close, "deleting " + destination.name());
        }
    }

    /** Who made it may consume from it. */
    void checkConsumable(final JmsDestination destination) throws JMSException {
        if (destination.kind().isTemporary() && !links.containsKey(destination)) {
            throw new InvalidDestinationException(
                    "the temporary destination " + destination.name() + " is not this connection's, or is deleted");
        }
    }

    /** One of ours that was deleted cannot be sent to. */
    void checkSendable(final JmsDestination destination) throws JMSException {
        if (isOurs(destination) && !links.containsKey(destination)) {
            throw new InvalidDestinationException("the temporary destination " + destination.name() + " is deleted");
        }
    }

    private boolean isOurs(final JmsDestination destination) {
        return destination instanceof final JmsTemporaryQueue queue && queue.isOwnedBy(connection)
                || destination instanceof final JmsTemporaryTopic topic && topic.isOwnedBy(connection);
    }
}
