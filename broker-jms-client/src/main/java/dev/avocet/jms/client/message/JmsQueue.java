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

    private JmsQueue(final String name, final DestinationOptions options) {
        super(name, options);
    }

    /**
     * The queue of a name, or of a URL such as {@code queue://NAME?clientMessageCache=0}.
     *
     * @throws IllegalArgumentException when an option of the URL is wrong, or its name empty
     */
    public static JmsQueue parse(final String text) {
        return new JmsQueue(nameIn(text, "queue://"), optionsIn(text, "queue://"));
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
