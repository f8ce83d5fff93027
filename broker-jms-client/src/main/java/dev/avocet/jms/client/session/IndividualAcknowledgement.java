package dev.avocet.jms.client.session;

import dev.avocet.jms.client.message.Acknowledger;
import jakarta.jms.JMSException;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.jspecify.annotations.Nullable;

/** Our extension: the application's acknowledge() means the one message. */
final class IndividualAcknowledgement extends Acknowledgement {
    IndividualAcknowledgement(final JmsSession session) {
        super(session);
    }

    @Override
    void received(final Delivered now) {
        add(now);
    }

    @Override
    @Nullable Acknowledger acknowledger(final JmsConsumer consumer, final IncomingDelivery delivery) {
        return delivery.isRemotelySettled() ? null : () -> acknowledge(new Delivered(consumer, delivery));
    }

    private void acknowledge(final Delivered one) throws JMSException {
        session.checkOpen();
        if (remove(one)) {
            accept(one);
        }
        if (isEmpty()) {
            session.consumers().closeRetired();
        }
    }
}
