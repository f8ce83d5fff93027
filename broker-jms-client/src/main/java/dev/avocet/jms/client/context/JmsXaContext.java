package dev.avocet.jms.client.context;

import dev.avocet.jms.client.call.Checked;
import dev.avocet.jms.client.session.JmsSession;
import dev.avocet.jms.client.session.JmsXaConnection;
import dev.avocet.jms.client.session.JmsXaSession;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.XAJMSContext;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAResource;

/** A connection for a transaction manager and one session of it. Contexts that it makes are ordinary ones. */
public final class JmsXaContext extends JmsContext implements XAJMSContext {
    private final JmsXaConnection connection;

    private JmsXaContext(final JmsXaConnection connection) {
        super(connection, new AtomicInteger(1), Session.SESSION_TRANSACTED);
        this.connection = connection;
    }

    /** Makes the connection. */
    @FunctionalInterface
    public interface Connecting {
        JmsXaConnection connect() throws JMSException;
    }

    /** The context of a connection of its own. */
    public static JmsXaContext open(final Connecting connecting) {
        return Checked.get(() -> new JmsXaContext(connecting.connect()));
    }

    @Override
    JmsSession newSession() throws JMSException {
        return connection.createXASession();
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return ((JmsXaSession) session()).getXAResource();
    }
}
