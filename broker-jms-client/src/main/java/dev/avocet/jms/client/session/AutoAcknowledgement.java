package dev.avocet.jms.client.session;

import dev.avocet.jms.client.message.Acknowledger;
import org.apache.qpid.protonj2.engine.IncomingDelivery;

/** AUTO_ACKNOWLEDGE: before receive() returns, or after the listener has. */
class AutoAcknowledgement extends Acknowledgement {
    AutoAcknowledgement(final JmsSession session) {
        super(session);
    }

    @Override
    void received(final Delivered now) {
        accept(now);
    }

    @Override
    void handled(final Delivered now) {
        if (remove(now)) {
            accept(now);
        }
    }

    @Override
    boolean isAutomatic() {
        return true;
    }

    @Override
    Acknowledger acknowledger(final JmsConsumer consumer, final IncomingDelivery delivery) {
        return session::checkOpen;
    }
}
