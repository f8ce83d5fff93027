package dev.avocet.core.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver has for its queue at the end of a batch, in this order.
 *
 * @param settled what became of deliveries
 * @param revoke whether all credit is taken back
 * @param credit what is granted then
 * @param drain whether what is left of it shall be used up
 */
record ReceiverRequest(List<Settled> settled, boolean revoke, int credit, boolean drain) {
    /**
     * What became of one delivery.
     *
     * @param deliveryCount how many had failed before it, which tells it from the ones that follow
     * @param settlement null when a transaction has it now
     */
    record Settled(
            long reference,
            int deliveryCount,
            @Nullable Settlement settlement,
            @Nullable String description) {}
}
