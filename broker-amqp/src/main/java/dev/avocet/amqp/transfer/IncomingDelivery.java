package dev.avocet.amqp.transfer;

import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that has come and is not answered yet.
 *
 * @param isSettled whether the client does not want to know what becomes of it
 * @param state what the client says of it
 */
public record IncomingDelivery(
        SessionFlow session,
        int deliveryId,
        boolean isSettled,
        @Nullable DeliveryState state) {
    public void settle(DeliveryState outcome) {
        if (!isSettled) {
            session.settle(deliveryId, outcome);
        }
    }
}
