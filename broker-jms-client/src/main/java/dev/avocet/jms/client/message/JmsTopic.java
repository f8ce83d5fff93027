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

    private JmsTopic(final String name, final DestinationOptions options) {
        super(name, options);
    }

    /**
     * The topic of a name, or of a URL such as {@code topic://NAME?clientMessageCache=0}.
     *
     * @throws IllegalArgumentException when an option of the URL is wrong, or its name empty
     */
    public static JmsTopic parse(final String text) {
        return new JmsTopic(nameIn(text, "topic://"), optionsIn(text, "topic://"));
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
