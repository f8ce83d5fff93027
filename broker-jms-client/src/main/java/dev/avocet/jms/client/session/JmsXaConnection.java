package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.options.Options;
import dev.avocet.jms.client.session.setting.Domain;
import dev.avocet.jms.client.wire.EventLoops;
import dev.avocet.jms.client.wire.login.Credentials;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.JMSException;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XATopicConnection;

/** A connection for a transaction manager. Thread-safe. */
public final class JmsXaConnection extends JmsConnection implements XAQueueConnection, XATopicConnection {
    private final XaBranches branches = new XaBranches(this);

    private JmsXaConnection(
            final Options options, final Credentials credentials, final Domain domain, final EventLoops loops)
            throws WireException {
        super(options, credentials, domain, loops);
    }

    /** Connects and authenticates. */
    public static JmsXaConnection connect(
            final Options options, final Credentials credentials, final Domain domain, final EventLoops loops)
            throws JMSException {
        try {
            return login(new JmsXaConnection(options.copy(), credentials, domain, loops));
        } catch (final WireException e) {
            throw Failures.of(e);
        }
    }

    private JmsXaSession xaSession(final Domain of) throws JMSException {
        use();
        XaBranches.requireXa(this);
        return sessions().add(JmsXaSession.open(this, of, branches));
    }

    @Override
    public JmsXaSession createXASession() throws JMSException {
        return xaSession(domain());
    }

    @Override
    public JmsXaSession createXAQueueSession() throws JMSException {
        return xaSession(Domain.QUEUE);
    }

    @Override
    public JmsXaSession createXATopicSession() throws JMSException {
        return xaSession(Domain.TOPIC);
    }
}
