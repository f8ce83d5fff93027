package dev.avocet.jms.client.message;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A temporary queue; only the connection that made it can consume from it and delete it. */
public final class JmsTemporaryQueue extends JmsDestination implements TemporaryQueue {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient @Nullable TemporaryOwner owner;

    /** {@code owner} is null where the destination was met in a message. */
    public JmsTemporaryQueue(final String name, final @Nullable TemporaryOwner owner) {
        super(name);
        this.owner = owner;
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.TEMPORARY_QUEUE;
    }

    @Override
    public String getQueueName() {
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
                    "only the connection that made the temporary queue " + name() + " can delete it");
        }
        owner.delete(this);
    }
}
