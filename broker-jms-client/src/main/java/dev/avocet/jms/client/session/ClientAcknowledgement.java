package dev.avocet.jms.client.session;

import dev.avocet.jms.client.message.Acknowledger;
import jakarta.jms.JMSException;
import org.apache.qpid.protonj2.engine.IncomingDelivery;

/** CLIENT_ACKNOWLEDGE: the application's acknowledge() means all that the session has consumed. */
final class ClientAcknowledgement extends Acknowledgement {
    /** One for all messages. */
    private final Acknowledger acknowledger = this::acknowledgeAll;

    ClientAcknowledgement(final JmsSession session) {
        super(session);
    }

    @Override
    void received(final Delivered now) {
        add(now);
    }

    @Override
    Acknowledger acknowledger(final JmsConsumer consumer, final IncomingDelivery delivery) {
        return acknowledger;
    }

    @Override
    void acknowledgeAll() throws JMSException {
        session.checkOpen();
        accept(takeDelivered());
        session.consumers().closeRetired();
    }
}
