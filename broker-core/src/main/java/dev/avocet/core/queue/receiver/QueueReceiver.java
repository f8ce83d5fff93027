package dev.avocet.core.queue.receiver;

import org.jspecify.annotations.Nullable;

/**
 * A consumer's side of a queue, on the consumer's loop; the queue may be at home on another one. Everything here is
 * called on the consumer's loop, and what happens there goes to the queue in one task per batch.
 *
 * <p>Nothing comes without credit. It grows by {@link #grant} and shrinks by one with each delivery; a front end grants
 * what its client can take, and refills when a part of it is used.
 */
public interface QueueReceiver {
    /** Allows so many deliveries more. */
    void grant(int credit);

    /** Takes all credit back, which deliveries that are on their way still use. */
    void revoke();

    /**
     * Has everything delivered that can be with the credit, and the rest of the credit forgotten; then comes
     * {@link QueueConsumer#onDrained}.
     */
    void drain();

    /**
     * Tells what became of a delivery, once for each. In a transaction {@link #leaveToTransaction} takes the place of
     * this for what is accepted.
     *
     * @param description why it was rejected, for people; null for no reason
     */
    void settle(QueueDelivery delivery, Settlement settlement, @Nullable String description);

    /**
     * A transaction has taken the delivery by {@link dev.avocet.core.transaction.Transaction#acknowledge}: it is
     * settled when that ends, and stays in flight when this receiver is closed before. Called right after that.
     */
    void leaveToTransaction(QueueDelivery delivery);

    default void settle(QueueDelivery delivery, Settlement settlement) {
        settle(delivery, settlement, null);
    }

    /**
     * Ends it. What was delivered and not settled, and is in no transaction, goes back to the queue, in its order, and
     * so does what is on its way. Nothing is called afterwards.
     *
     * @param unsettled what becomes of the deliveries that the consumer has got: {@link Settlement#FAILED} when it may
     *     have worked on them, {@link Settlement#RELEASED} when it surely has not
     */
    void close(Settlement unsettled);
}
