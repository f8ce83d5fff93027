package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.XaFailures;
import dev.avocet.jms.client.session.setting.Domain;
import dev.avocet.jms.client.wire.WireSession;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicSession;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * A session for a transaction manager. Outside of a global transaction it sends at once and acknowledges as
 * AUTO_ACKNOWLEDGE has it. Closing it leaves the branch that it is in to the transaction manager; closing the
 * connection rolls it back.
 */
public final class JmsXaSession extends JmsSession implements XAQueueSession, XATopicSession {
    private final XaSessionResource resource;

    private JmsXaSession(
            final JmsConnection connection, final Domain domain, final WireSession wire, final XaBranches branches) {
        super(connection, domain, wire, BranchAcknowledgement::new);
        this.resource = new XaSessionResource(this, branches);
    }

    static JmsXaSession open(final JmsConnection connection, final Domain domain, final XaBranches branches)
            throws JMSException {
        return new JmsXaSession(connection, domain, JmsSession.wire(connection), branches);
    }

    private BranchAcknowledgement branching() {
        return (BranchAcknowledgement) acknowledgement();
    }

    @Nullable XaBranch branch() {
        return branching().branch();
    }

    void enter(final @Nullable XaBranch branch) {
        branching().enter(branch);
    }

    /** What was sent in the branch is answered. */
    void awaitSent() throws XAException {
        try {
            window().awaitEmpty();
        } catch (final JMSException e) {
            throw XaFailures.of(XAException.XAER_RMERR, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }

    @Override
    public Session getSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public QueueSession getQueueSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public TopicSession getTopicSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public void commit() throws JMSException {
        throw notByApplication("commit");
    }

    @Override
    public void rollback() throws JMSException {
        throw notByApplication("rollback");
    }

    private static TransactionInProgressException notByApplication(final String method) {
        return new TransactionInProgressException(method + "() of a session for XA is the transaction manager's");
    }
}
