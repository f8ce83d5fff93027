package dev.avocet.jms.client.session.setting;

import dev.avocet.jms.client.message.DestinationKind;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.protection.Guard;
import dev.avocet.jms.client.wire.LinkProtection;
import jakarta.jms.JMSException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opens what comes to one consumer. Of the session's thread, but for what says otherwise. */
public final class ConsumerProtection {
    private final ConnectionProtection connection;
    private final JmsDestination own;
    private final Guard guard;

    public ConsumerProtection(final ConnectionProtection connection, final ConsumerSpec spec) {
        this.connection = connection;
        this.own = spec.destination();
        if (spec.subscription() != null) {
            guard = connection.guard("subscription " + spec.subscription());
        } else if (own.kind() == DestinationKind.QUEUE) {
            guard = connection.guard("queue " + own.name());
        } else {
            guard = new Guard();
        }
    }

    /**
     * The message as it was before it was sealed; the same where nothing is protected.
     *
     * @param link what the server says about it
     * @param again whether the same delivery was opened before
     */
    public JmsMessage opened(final JmsMessage arrived, final @Nullable LinkProtection link, final boolean again)
            throws JMSException {
        if (link == null) {
            connection.checkUnprotected(own);
            return arrived;
        }
        arrived.received(own, null);
        final JmsDestination from = origin(arrived);
        final Map<String, Object> terms = ConnectionProtection.terms(link, from);
        if (terms == null) {
            connection.checkUnprotected(from);
            return arrived;
        }
        return connection.protector().open(arrived, from, terms, guard, again || arrived.getJMSRedelivered());
    }

    /** A queue, or the topic that matched. */
    private JmsDestination origin(final JmsMessage arrived) throws JMSException {
        final JmsDestination said = own.kind().isTopic() ? JmsDestination.from(arrived.getJMSDestination()) : null;
        return said == null ? own : said;
    }

    /** @throws JMSException when the messages of the consumer are protected, and the keys are not there */
    public void checkKeys(final @Nullable LinkProtection link) throws JMSException {
        final Map<String, Object> terms = ConnectionProtection.terms(link, own);
        if (terms != null) {
            connection.protector().checkKeys(terms);
        }
    }

    /** On the event loop. */
    public void lineLost() {
        guard.lineLost();
    }
}
