package dev.avocet.jms.client.message;

import jakarta.jms.Topic;
import java.io.Serial;

/** A topic. */
public final class JmsTopic extends JmsDestination implements Topic {
    @Serial
    private static final long serialVersionUID = 1L;

    public JmsTopic(final String name) {
        super(name);
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.TOPIC;
    }

    @Override
    public String getTopicName() {
        return name();
    }
}
