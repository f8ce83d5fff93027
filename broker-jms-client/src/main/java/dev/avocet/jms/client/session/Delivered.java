package dev.avocet.jms.client.session;

import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.types.transport.DeliveryState;

/** A message that the application has and that is not acknowledged. */
record Delivered(JmsConsumer consumer, IncomingDelivery delivery) {
    /** Of the event loop. */
    void settle(final DeliveryState state) {
        consumer.intake().settle(delivery, state);
    }

    /** It came on the line that there is now. Of the event loop. */
    boolean isCurrent() {
        return consumer.intake().isCurrent(delivery);
    }
}
