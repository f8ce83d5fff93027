package dev.avocet.jms.client.message;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.io.Serial;
import java.io.Serializable;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/** A destination's name and kind. Immutable; equal when both are equal. */
public abstract sealed class JmsDestination implements Destination, Referenceable, Serializable
        permits JmsQueue, JmsTopic, JmsTemporaryQueue, JmsTemporaryTopic {
    /** The class that JNDI asks to make a destination from a reference. */
    private static final String OBJECT_FACTORY = "dev.avocet.jms.jndi.AvocetObjectFactory";

    @Serial
    private static final long serialVersionUID = 1L;

    private final String name;
    private final DestinationOptions options;

    JmsDestination(final String name) {
        this(name, DestinationOptions.NONE);
    }

    JmsDestination(final String name, final DestinationOptions options) {
        this.name = name;
        this.options = options;
    }

    /** A name is what it is, question marks included; only a URL has options. */
    static String nameIn(final String text, final String scheme) {
        if (!text.startsWith(scheme)) {
            return text;
        }
        final int mark = text.indexOf('?');
        final String named = text.substring(scheme.length(), mark < 0 ? text.length() : mark);
        if (named.isEmpty()) {
            throw new IllegalArgumentException("the URL " + text + " names no destination");
        }
        return named;
    }

    static DestinationOptions optionsIn(final String text, final String scheme) {
        final int mark = text.startsWith(scheme) ? text.indexOf('?') : -1;
        return mark < 0 ? DestinationOptions.NONE : DestinationOptions.parse(text.substring(mark + 1));
    }

    /** A destination of that kind; temporary ones without an owner, as in a JMSReplyTo that arrived. */
    public static JmsDestination of(final DestinationKind kind, final String name) {
        return switch (kind) {
            case QUEUE -> new JmsQueue(name);
            case TOPIC -> new JmsTopic(name);
            case TEMPORARY_QUEUE -> new JmsTemporaryQueue(name, null);
            case TEMPORARY_TOPIC -> new JmsTemporaryTopic(name, null);
        };
    }

    /** Ours, or one with the name of another provider's; null stays null. */
    public static @Nullable JmsDestination from(final @Nullable Destination destination) throws JMSException {
        if (destination == null || destination instanceof JmsDestination) {
            return (JmsDestination) destination;
        }
        if (destination instanceof final Queue queue) {
            return new JmsQueue(queue.getQueueName());
        }
        if (destination instanceof final Topic topic) {
            return new JmsTopic(topic.getTopicName());
        }
        throw new jakarta.jms.InvalidDestinationException(
                "the destination " + destination + " is neither a queue nor a topic");
    }

    public String name() {
        return name;
    }

    /** What is said of it instead of the connection's options. */
    public DestinationOptions options() {
        return options;
    }

    /** What {@link JmsQueue#parse} and {@link JmsTopic#parse} make the same of. */
    private String url() {
        final String query = options.query();
        return query.isEmpty() ? name : kind().capability() + "://" + name + "?" + query;
    }

    public abstract DestinationKind kind();

    @Override
    public Reference getReference() {
        final Reference reference = new Reference(getClass().getName(), OBJECT_FACTORY, null);
        reference.add(new StringRefAddr("kind", kind().name()));
        reference.add(new StringRefAddr("name", url()));
        return reference;
    }

    @Override
    public final boolean equals(final @Nullable Object other) {
        return other instanceof final JmsDestination that && that.kind() == kind() && that.name.equals(name);
    }

    @Override
    public final int hashCode() {
        return 31 * name.hashCode() + kind().ordinal();
    }

    @Override
    public String toString() {
        return name;
    }
}
