package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.link.Destination;
import dev.avocet.amqp.message.Address;
import dev.avocet.amqp.message.JmsAnnotation;
import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.destination.QueueKind;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.publish.PublishOutcome;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** Finds where a client wants to send to, or receive from, if it may. Owned by the connection's loop. */
final class Destinations {
    static final String STANDBY_AWAY =
            "the standby does not answer, and has to have messages that have to survive (MinInSync)";

    static final String NOT_PROTECTED =
            "the destination takes sealed messages only; seal the message as its protection policy says";

    private final OpenConnection connection;
    /** Where the last message went that said so itself. */
    private @Nullable Address lastAddress;

    private @Nullable Destination last;

    Destinations(OpenConnection connection) {
        this.connection = connection;
    }

    /** A destination for a link. */
    Destination toSend(Address address) throws AmqpException {
        return isQueue(address, false) ? queueToSend(address.name()) : topicToSend(address.name());
    }

    /** A destination for one message; those that follow often go there too. */
    Destination toSendOnce(Address address) throws AmqpException {
        Destination known = last;
        if (known != null && address.equals(lastAddress) && known.isCurrent()) {
            return known;
        }
        Destination found = toSend(address);
        boolean guessed = address.kind() == JmsAnnotation.UNKNOWN && found instanceof TopicDestination;
        last = guessed ? null : found; // the subscription by which it is known may end
        lastAddress = address;
        return found;
    }

    /**
     * Whether an address names a queue; else it names a topic. Where the client does not say, the name has to: a queue
     * has it, or it can only be a topic. Anything else is refused, as what is sent to a topic that nothing subscribes
     * to is gone.
     *
     * @param asksForTopic whether the client asks for what only topics have
     */
    boolean isQueue(Address address, boolean asksForTopic) throws AmqpException {
        if (address.kind() != JmsAnnotation.UNKNOWN) {
            return address.kind() == JmsAnnotation.QUEUE;
        }
        String name = address.name();
        if (connection.broker().queues().find(name) != null) {
            return true;
        }
        if (asksForTopic || connection.leniency().bareTopics() || canOnlyBeTopic(name)) {
            return false;
        }
        throw new AmqpException(
                AmqpError.NOT_FOUND,
                "no queue is named '" + name + "', and nothing says whether a queue or a topic is meant: write queue://"
                        + name + " or topic://" + name + ", or set the capability queue or topic, or create the queue, "
                        + "or set BareNamesAreTopics of the endpoint");
    }

    private boolean canOnlyBeTopic(String name) throws AmqpException {
        return name.startsWith("$")
                || name.indexOf('+') >= 0
                || name.indexOf('#') >= 0
                || TemporaryNodes.isTemporaryTopic(name)
                || connection.broker().isSubscribedByName(topicName(name));
    }

    private Destination topicToSend(String name) throws AmqpException {
        TopicName topic = topicName(name);
        if (topic.isReserved()) {
            throw new AmqpException(AmqpError.NOT_ALLOWED, "topics that begin with $ are the broker's own");
        }
        int levelsMax = connection.broker().options().topicLevelsMax();
        if (topic.levels() > levelsMax) {
            throw new AmqpException(AmqpError.NOT_ALLOWED, "a topic name has at most " + levelsMax + " levels");
        }
        if (!connection.rights().publish(topic).allowed()) {
            connection.loop().counters().increment(Counter.PUBLISHES_UNAUTHORIZED);
            throw unauthorized("publish to topic '" + name + "'");
        }
        return new TopicDestination(connection, topic);
    }

    private Destination queueToSend(String name) throws AmqpException {
        NamedQueue queue = queue(name, QueueAction.SEND, "send to");
        return new QueueDestination(connection, queue);
    }

    /**
     * The queue with a name, which the client may use so. It is made if it is not there and the client may create it.
     */
    NamedQueue queue(String name, QueueAction action, String verb) throws AmqpException {
        TopicName unused = topicName(name); // the same characters
        NamedQueue queue = connection.broker().queues().find(name);
        boolean temporary = queue != null && queue.kind() == QueueKind.TEMPORARY;
        if (!temporary && !connection.rights().queue(name, action).allowed()) {
            connection
                    .loop()
                    .counters()
                    .increment(
                            action == QueueAction.SEND
                                    ? Counter.PUBLISHES_UNAUTHORIZED
                                    : Counter.SUBSCRIPTIONS_UNAUTHORIZED);
            throw unauthorized(verb + " queue '" + name + "'");
        }
        if (queue != null) {
            return queue;
        }
        return create(name);
    }

    private NamedQueue create(String name) throws AmqpException {
        if (!connection.rights().queue(name, QueueAction.CREATE).allowed()) {
            throw new AmqpException(
                    AmqpError.NOT_FOUND,
                    "there is no queue '" + name
                            + "', and no policy lets this client create it: an administrator can, with broker-admin queue create");
        }
        NamedQueue made = connection.broker().queues().findOrCreate(name, connection.loop());
        if (made == null) {
            throw new AmqpException(
                    AmqpError.RESOURCE_LIMIT_EXCEEDED,
                    "queue '" + name + "' cannot be created: clients have made as many as MaxDynamicQueues allows");
        }
        return made;
    }

    private static TopicName topicName(String name) throws AmqpException {
        try {
            return TopicName.of(name);
        } catch (IllegalArgumentException e) {
            throw new AmqpException(AmqpError.INVALID_FIELD, String.valueOf(e.getMessage()));
        }
    }

    static AmqpException unauthorized(String what) {
        return new AmqpException(AmqpError.UNAUTHORIZED_ACCESS, "no policy lets this client " + what);
    }

    /** What a sender is told of an outcome; null when all is well. */
    static @Nullable ErrorCondition problem(PublishOutcome outcome) {
        return switch (outcome) {
            case ACCEPTED, NO_MATCHING_SUBSCRIBERS -> null;
            case QUOTA_EXCEEDED ->
                new ErrorCondition(
                        AmqpError.RESOURCE_LIMIT_EXCEEDED, "a queue or subscription is full and refuses new messages");
            case STORE_FULL ->
                new ErrorCondition(
                        AmqpError.RESOURCE_LIMIT_EXCEEDED,
                        "the broker's disk is too full for messages that have to survive");
            case STANDBY_AWAY -> new ErrorCondition(AmqpError.RESOURCE_LIMIT_EXCEEDED, STANDBY_AWAY);
            case NOT_AUTHORIZED -> unauthorized("publish that").condition();
            case NO_SUCH_QUEUE -> new ErrorCondition(AmqpError.NOT_FOUND, "there is no such queue");
            case SEND_NOT_ALLOWED ->
                new ErrorCondition(AmqpError.PRECONDITION_FAILED, "the queue takes no messages at present");
            case NOT_PROTECTED -> new ErrorCondition(AmqpError.PRECONDITION_FAILED, NOT_PROTECTED);
            case PENDING -> throw new IllegalStateException("pending is not an answer");
        };
    }
}
