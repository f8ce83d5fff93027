package dev.avocet.jms.client.message;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryTopic;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A temporary topic; only the connection that made it can consume from it and delete it. */
public final class JmsTemporaryTopic extends JmsDestination implements TemporaryTopic {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient @Nullable TemporaryOwner owner;

    /** {@code owner} is null where the destination was met in a message. */
    public JmsTemporaryTopic(final String name, final @Nullable TemporaryOwner owner) {
        super(name);
        this.owner = owner;
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.TEMPORARY_TOPIC;
    }

    @Override
    public String getTopicName() {
        return name();
    }

    /** That connection made it. */
    @SuppressWarnings("ReferenceEquality") // A connection is itself.
    public boolean isOwnedBy(final TemporaryOwner candidate) {
        return owner == candidate;
    }

    @Override
    public void delete() throws JMSException {
        if (owner == null) {
            throw new IllegalStateException(
                    "only the connection that made the temporary topic " + name() + " can delete it");
        }
        owner.delete(this);
    }
}
