package dev.avocet.core.queue.receiver;

/** The one who receives from a queue. Implemented by front ends; called on the receiver's loop only. */
public interface QueueConsumer {
    /** The queue serves the receiver from now on. */
    default void onAttached() {}

    /**
     * A message, for which the consumer had granted credit. It must be taken: who cannot write any more should not have
     * granted so much. To be settled by {@link QueueReceiver#settle}, unless the receiver browses: then nothing is
     * expected.
     */
    void onDelivery(QueueDelivery delivery);

    /**
     * The answer to {@link QueueReceiver#drain}: everything that could be delivered was, before this call, and no
     * credit is left. A browser hears it once more, unasked, when it has seen everything: then it has no credit either.
     */
    void onDrained();

    /**
     * The receiver is over, or never began. What it had not settled is the queue's; it needs no
     * {@link QueueReceiver#close}.
     */
    void onEnded(ReceiverEnd reason);
}
