package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import javax.jms.Connection;
import javax.jms.ConnectionFactory;
import javax.jms.JMSContext;
import javax.jms.MessageConsumer;
import javax.jms.Queue;
import javax.jms.Session;
import javax.jms.TextMessage;
import org.junit.jupiter.api.Test;

/** The edition with the old package names, out of its jar. Runs after it is built. */
final class JavaxEditionIT extends ServerTest {
    /** Takes the client from the jar, all else from the tests' class path. */
    private static final class EditionLoader extends URLClassLoader {
        EditionLoader(final URL jar, final ClassLoader parent) {
            super(new URL[] {jar}, parent);
        }

        @Override
        protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.avocet.jms.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) { // As the superclass does.
                final Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    @Test
    void shouldSendAndReceiveWithTheOldNames() throws Exception {
        final URL jar =
                Path.of(System.getProperty("avocet.javaxEdition")).toUri().toURL();
        try (EditionLoader loader = new EditionLoader(jar, getClass().getClassLoader())) {
            final ConnectionFactory factory =
                    (ConnectionFactory) loader.loadClass("dev.avocet.jms.AvocetConnectionFactory")
                            .getConstructor(String.class)
                            .newInstance(server.url());

            try (Connection connection = factory.createConnection()) {
                connection.start();
                final Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                final Queue queue = session.createQueue(unique("javax"));
                final MessageConsumer consumer = session.createConsumer(queue);
                session.createProducer(queue).send(session.createTextMessage("old"));
                session.commit();
                assertThat(((TextMessage) consumer.receive(WAIT_MS)).getText()).isEqualTo("old");
                session.commit();
            }
            try (JMSContext context = factory.createContext()) {
                assertThat(context.getMetaData().getJMSProviderName()).isEqualTo("Avocet");
            }
        }
    }
}
