package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.message.Address;
import dev.avocet.amqp.message.JmsAnnotation;
import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.message.TopicName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.jspecify.annotations.Nullable;

/**
 * Temporary queues and topics: dynamic nodes, gone with the link that made them or with the connection. Owned by the
 * connection's loop.
 */
final class TemporaryNodes {
    private static final String QUEUE_PREFIX = "temporary-queue/";
    private static final String TOPIC_PREFIX = "temporary-topic/";

    private static final Symbol PREFIX = Symbol.valueOf("avocet:prefix");
    private static final int PREFIX_CHARACTERS = 256;

    private final OpenConnection connection;
    private final Set<Node> nodes = new LinkedHashSet<>();

    TemporaryNodes(OpenConnection connection) {
        this.connection = connection;
    }

    /**
     * A new one. Its name is hard to guess, as each client that knows it may send there.
     *
     * @param properties in which the client may ask for how its name begins; then policies say what may be done with
     *     that name
     */
    Node create(boolean topic, @Nullable Map<Symbol, ?> properties) throws AmqpException {
        String wanted = prefix(properties);
        String name = (wanted != null ? wanted : topic ? TOPIC_PREFIX : QUEUE_PREFIX) + UUID.randomUUID();
        if (wanted != null && !topic) {
            requireAllowed(name);
        }
        NamedQueue queue = topic ? null : connection.broker().queues().createTemporary(name, connection.loop());
        Node made = new Node(name, queue);
        nodes.add(made);
        return made;
    }

    private static @Nullable String prefix(@Nullable Map<Symbol, ?> properties) throws AmqpException {
        Object wanted = properties == null ? null : properties.get(PREFIX);
        if (wanted == null) {
            return null;
        }
        if (!(wanted instanceof String prefix) || prefix.isEmpty() || prefix.length() > PREFIX_CHARACTERS) {
            throw invalid("it is a string of 1 to " + PREFIX_CHARACTERS + " characters");
        }
        try {
            if (TopicName.of(prefix).isReserved()) {
                throw invalid("names that begin with $ are the broker's own");
            }
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
        return prefix;
    }

    private static AmqpException invalid(String why) {
        return new AmqpException(AmqpError.INVALID_FIELD, PREFIX + " of a dynamic node: " + why);
    }

    private void requireAllowed(String name) throws AmqpException {
        if (!connection.rights().queue(name, QueueAction.CREATE).allowed()) {
            throw Destinations.unauthorized("create the temporary queue '" + name + "'");
        }
    }

    /** The connection is gone. */
    void close() {
        List.copyOf(nodes).forEach(Node::delete);
    }

    static boolean isTemporaryTopic(String name) {
        return name.startsWith(TOPIC_PREFIX);
    }

    /** One of them. */
    final class Node {
        private final String name;
        private final @Nullable NamedQueue queue;

        Node(String name, @Nullable NamedQueue queue) {
            this.name = name;
            this.queue = queue;
        }

        String name() {
            return name;
        }

        Address address() {
            return new Address(name, queue == null ? JmsAnnotation.TOPIC : JmsAnnotation.QUEUE);
        }

        /** A topic is nothing but its name. */
        void delete() {
            if (nodes.remove(this) && queue != null) {
                connection.broker().queues().delete(queue);
            }
        }
    }
}
