package dev.avocet.jms.connection;

import dev.avocet.core.destination.NamedQueue;
import dev.avocet.jms.message.Address;
import dev.avocet.jms.message.JmsAnnotation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Temporary queues and topics: dynamic nodes, gone with the link that made them or with the connection. Owned by the connection's loop. */
final class TemporaryNodes {
    private static final String QUEUE_PREFIX = "temporary-queue/";
    private static final String TOPIC_PREFIX = "temporary-topic/";

    private final AmqpConnection connection;
    private final Set<Node> nodes = new LinkedHashSet<>();

    TemporaryNodes(AmqpConnection connection) {
        this.connection = connection;
    }

    /** A new one. Its name is hard to guess, as whoever knows it may send there. */
    Node create(boolean topic) {
        String name = (topic ? TOPIC_PREFIX : QUEUE_PREFIX) + UUID.randomUUID();
        NamedQueue queue = topic ? null : connection.broker().queues().createTemporary(name, connection.loop());
        Node made = new Node(name, queue);
        nodes.add(made);
        return made;
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
