package dev.avocet.core.queue.transit;

/** What a consumer did with a message that a queue offered it. */
public enum Delivery {
    /** Sent, and nothing more is expected: the queue forgets it. */
    SETTLED,
    /** Sent, and {@link DeliverySource#settle} will be called when the client has acknowledged it. */
    IN_FLIGHT,
    /**
     * No credit or an unwritable connection; the consumer calls {@link DeliverySource#resume} once that has changed.
     */
    BUSY
}
