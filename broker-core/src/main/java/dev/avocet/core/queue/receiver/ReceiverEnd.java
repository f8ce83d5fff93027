package dev.avocet.core.queue.receiver;

/** Why a receiver was not let to a queue, or is not any longer. */
public enum ReceiverEnd {
    /** The queue has been deleted. */
    QUEUE_DELETED,
    /** The queue allows one receiver at a time, and has one. */
    QUEUE_IN_USE
}
