package dev.avocet.jms.joram;

import java.util.Hashtable;
import java.util.Map;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.objectweb.jtests.jms.admin.Admin;

/**
 * What the suite asks of a provider: names for factories and destinations; the server makes queues when they are used.
 */
public final class JoramAdmin implements Admin {
    /** Names the server's URL. */
    static final String URL_PROPERTY = "avocet.joram.url";

    private final Map<String, String> names = new java.util.TreeMap<>();

    /** Made by the suite. */
    public JoramAdmin() {}

    @Override
    public String getName() {
        return "Avocet";
    }

    @Override
    @SuppressWarnings("JdkObsolete") // JNDI is older than collections.
    public Context createContext() throws NamingException {
        final Hashtable<String, String> environment = new Hashtable<>(names);
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "dev.avocet.jms.jndi.AvocetInitialContextFactory");
        return new InitialContext(environment);
    }

    @Override
    public void createConnectionFactory(final String name) {
        names.put("connectionFactory." + name, System.getProperty(URL_PROPERTY));
    }

    @Override
    public void createQueueConnectionFactory(final String name) {
        createConnectionFactory(name);
    }

    @Override
    public void createTopicConnectionFactory(final String name) {
        createConnectionFactory(name);
    }

    @Override
    public void createQueue(final String name) {
        // A name of its own for each test: nothing is left over.
        names.put("queue." + name, name + java.util.UUID.randomUUID());
    }

    @Override
    public void createTopic(final String name) {
        names.put("topic." + name, name + java.util.UUID.randomUUID());
    }

    @Override
    public void deleteQueue(final String name) {
        names.remove("queue." + name);
    }

    @Override
    public void deleteTopic(final String name) {
        names.remove("topic." + name);
    }

    @Override
    public void deleteConnectionFactory(final String name) {
        names.remove("connectionFactory." + name);
    }

    @Override
    public void deleteQueueConnectionFactory(final String name) {
        deleteConnectionFactory(name);
    }

    @Override
    public void deleteTopicConnectionFactory(final String name) {
        deleteConnectionFactory(name);
    }

    @Override
    public void startServer() {
        // One server runs for all tests.
    }

    @Override
    public void stopServer() {
        // As above.
    }

    @Override
    public void start() {
        // As above.
    }

    @Override
    public void stop() {
        // As above.
    }
}
