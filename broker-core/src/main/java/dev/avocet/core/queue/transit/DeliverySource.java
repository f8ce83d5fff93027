package dev.avocet.core.queue.transit;

import dev.avocet.core.message.Message;

/** Where a consumer's messages come from: the queue itself, or its outpost on the consumer's own loop. */
public interface DeliverySource {
    /** In place of a reference number or a durable identifier: nothing of it is on disk. */
    long NOT_STORED = 0;

    /** The consumer can take messages again. Called on the consumer's loop. */
    void resume(Consumer consumer);

    /**
     * The client has acknowledged the message: it may be forgotten. Called once per delivery that was in flight, on the
     * consumer's loop.
     *
     * @param reference as it came with the delivery
     */
    void settle(Message message, long reference);

    /** The same for several messages of which nothing is on disk. */
    void settleUnstored(int messages);

    /**
     * Identifies the queue in the store, however often the broker starts; {@link #NOT_STORED} when it does not survive.
     */
    long durableId();
}
