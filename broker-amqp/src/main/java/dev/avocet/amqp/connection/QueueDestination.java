package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.link.Destination;
import dev.avocet.amqp.message.IncomingMessage;
import dev.avocet.core.broker.Publisher;
import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.destination.QueueKind;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.policy.Decision;
import dev.avocet.core.publish.PublishOutcome;

/** A queue that a client sends to. */
final class QueueDestination implements Destination {
    private final OpenConnection connection;
    private final NamedQueue queue;
    private final TopicName name;

    QueueDestination(OpenConnection connection, NamedQueue queue) {
        this.connection = connection;
        this.queue = queue;
        this.name = TopicName.of(queue.name());
    }

    @Override
    public String name() {
        return queue.name();
    }

    @Override
    public boolean isQueue() {
        return true;
    }

    @Override
    public Message message(IncomingMessage incoming, boolean settled) throws AmqpException {
        Decision decision = queue.kind() == QueueKind.TEMPORARY
                ? Decision.OPEN
                : connection.rights().queue(queue.name(), QueueAction.SEND);
        if (!decision.allowed()) {
            throw Destinations.unauthorized("send to queue '" + queue.name() + "'");
        }
        return Messages.of(connection, name, true, incoming, settled, decision);
    }

    @Override
    public PublishOutcome publish(Message message, Publisher publisher, long token) {
        return publisher.send(message, token);
    }

    @Override
    public boolean isCurrent() {
        return connection.broker().queues().find(queue.name()) == queue;
    }

    @Override
    public void attached() {
        queue.producerAttached();
    }

    @Override
    public void detached() {
        queue.producerDetached();
    }
}
