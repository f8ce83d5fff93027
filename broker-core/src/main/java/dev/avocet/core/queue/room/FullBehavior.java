package dev.avocet.core.queue.room;

/** What a queue does with a message that finds it full. */
public enum FullBehavior {
    /** The new message is refused; a publisher that expects an acknowledgement is told so. */
    REJECT_NEW_MESSAGES,
    /** The oldest waiting messages are removed until the queue is at 95 % of its limit. */
    DISCARD_OLD_MESSAGES,
    /** The publisher waits, for a bounded time, until the queue has drained. */
    BACKPRESSURE
}
