package dev.avocet.jms.jndi;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.jms.client.message.JmsQueue;
import dev.avocet.jms.client.message.JmsTopic;
import java.util.Hashtable;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;

/**
 * A directory that is its own configuration. The environment names what is in it:
 * {@code connectionFactory.NAME=avocet://host:1883}, {@code queue.NAME=physicalName}, {@code topic.NAME=physicalName}.
 * Besides, {@code dynamicQueues/x} and {@code dynamicTopics/x} are the queue and the topic {@code x}, and without any
 * factory there is one named {@code ConnectionFactory} for {@link Context#PROVIDER_URL} or for this machine.
 */
public final class AvocetInitialContextFactory implements InitialContextFactory {
    private static final String FACTORY = "connectionFactory.";
    private static final String QUEUE = "queue.";
    private static final String TOPIC = "topic.";

    /** For JNDI. */
    public AvocetInitialContextFactory() {}

    @Override
    @SuppressWarnings("JdkObsolete") // The interface is older than collections.
    public Context getInitialContext(final Hashtable<?, ?> environment) throws NamingException {
        final Map<String, Object> bindings = new TreeMap<>();
        boolean factories = false;
        for (final Map.Entry<?, ?> entry : environment.entrySet()) {
            final String key = String.valueOf(entry.getKey());
            final String value = String.valueOf(entry.getValue());
            if (key.startsWith(FACTORY)) {
                bindings.put(key.substring(FACTORY.length()), parsed(key, value, AvocetConnectionFactory::new));
                factories = true;
            } else if (key.startsWith(QUEUE)) {
                bindings.put(key.substring(QUEUE.length()), parsed(key, value, JmsQueue::parse));
            } else if (key.startsWith(TOPIC)) {
                bindings.put(key.substring(TOPIC.length()), parsed(key, value, JmsTopic::parse));
            }
        }
        if (!factories) {
            final Object url = environment.get(Context.PROVIDER_URL);
            bindings.put(
                    "ConnectionFactory",
                    parsed(
                            Context.PROVIDER_URL,
                            url == null ? AvocetConnectionFactory.DEFAULT_URL : url.toString(),
                            AvocetConnectionFactory::new));
        }
        return new FixedContext(bindings, new Hashtable<>(environment));
    }

    private static <T> T parsed(final String key, final String value, final Function<String, T> parser)
            throws NamingException {
        try {
            return parser.apply(value);
        } catch (final IllegalArgumentException e) {
            final ConfigurationException refused = new ConfigurationException(key + ": " + e.getMessage());
            refused.initCause(e);
            throw refused;
        }
    }
}
