package dev.avocet.core.store;

/** What the store does beside the messages, and might hold them up with. */
enum PauseKind {
    /** From the append that begins a segment until the next force is over. */
    ROLL,
    /** Room is made for the next segment. */
    PREPARE,
    CHECKPOINT,
    DROP,
    /** An append has held up the thread {@code journal} for more than a millisecond. */
    APPEND,
    /** The disk took more than ten milliseconds for a force. */
    FORCE,
    /** The JVM was stopped. What is mostly this counts for nothing else. */
    GC
}
