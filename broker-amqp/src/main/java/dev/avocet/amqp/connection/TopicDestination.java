package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.link.Destination;
import dev.avocet.amqp.message.IncomingMessage;
import dev.avocet.core.broker.Publisher;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.policy.Decision;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.Route;
import org.jspecify.annotations.Nullable;

/** A topic that a client publishes to. Its route is kept, so nothing is looked up for each message. */
final class TopicDestination implements Destination {
    private final OpenConnection connection;
    private final TopicName topic;
    private @Nullable CachedRoute<Route> route;

    TopicDestination(OpenConnection connection, TopicName topic) {
        this.connection = connection;
        this.topic = topic;
    }

    @Override
    public String name() {
        return topic.text();
    }

    @Override
    public boolean isQueue() {
        return false;
    }

    @Override
    public Message message(IncomingMessage incoming, boolean settled) throws AmqpException {
        Decision decision = connection.rights().publish(topic, route());
        if (!decision.allowed()) {
            throw Destinations.unauthorized("publish to topic '" + topic + "'");
        }
        return Messages.of(connection, topic, false, incoming, settled, decision);
    }

    @Override
    public PublishOutcome publish(Message message, Publisher publisher, long token) {
        return publisher.publish(message, route(), token);
    }

    private CachedRoute<Route> route() {
        CachedRoute<Route> known = route;
        if (known == null || !known.isCurrent()) {
            route = known = connection.broker().route(topic, connection.loop());
        }
        return known;
    }
}
