package dev.avocet.core.message;

import org.jspecify.annotations.Nullable;

/**
 * Why a message lies in a queue for messages that no consumer takes.
 *
 * @param queue where it was before
 * @param description what the consumer that rejected it said; null when nothing
 * @param deliveryCount deliveries there that have failed, the one that was rejected among them
 */
public record DeadLetter(
        Cause cause, String queue, @Nullable String description, int deliveryCount) {
    /**
     * Whether {@link #queue} is a queue from which it came. Otherwise the broker itself did not take the message, as it
     * was not sealed, and the name may be that of a topic.
     */
    public boolean wasInQueue() {
        return cause != Cause.REJECTED || deliveryCount > 0;
    }

    /** What happened. The ordinals are stored. */
    public enum Cause {
        /** It was delivered as often as the queue allows, and each delivery failed. */
        TOO_MANY_DELIVERIES,
        /** A consumer said that it is of no use. */
        REJECTED,
        /** Its time was over. */
        EXPIRED
    }
}
