package dev.avocet.jms.client.message;

import jakarta.jms.Queue;
import java.io.Serial;

/** A queue. */
public final class JmsQueue extends JmsDestination implements Queue {
    @Serial
    private static final long serialVersionUID = 1L;

    public JmsQueue(final String name) {
        super(name);
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.QUEUE;
    }

    @Override
    public String getQueueName() {
        return name();
    }
}
