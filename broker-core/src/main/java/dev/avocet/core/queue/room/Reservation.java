package dev.avocet.core.queue.room;

/** The answer to {@link dev.avocet.core.queue.MessageQueue#reserve}. */
public enum Reservation {
    /** There is room and it is now taken: a {@code put} or a {@code release} must follow. */
    GRANTED,
    /** The queue is full and refuses. */
    FULL,
    /** The queue is full and wants the publisher to wait for room. */
    WAIT
}
