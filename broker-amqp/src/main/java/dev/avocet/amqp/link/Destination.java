package dev.avocet.amqp.link;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.message.IncomingMessage;
import dev.avocet.core.broker.Publisher;
import dev.avocet.core.message.Message;
import dev.avocet.core.publish.PublishOutcome;

/** Where a client sends to. Owned by the connection's loop. */
public interface Destination {
    String name();

    /** Whether it is a queue; else it is a topic. */
    boolean isQueue();

    /**
     * What the broker is given of what was sent.
     *
     * @param settled whether the sender does not want to know what becomes of it
     * @throws AmqpException when the client may not send it
     */
    Message message(IncomingMessage incoming, boolean settled) throws AmqpException;

    PublishOutcome publish(Message message, Publisher publisher, long token);

    /** Whether it is there still: a queue that clients have made goes when no client uses it, and may be made again. */
    default boolean isCurrent() {
        return true;
    }

    /** A link was opened for it. */
    default void attached() {}

    /** The link has ended. */
    default void detached() {}
}
