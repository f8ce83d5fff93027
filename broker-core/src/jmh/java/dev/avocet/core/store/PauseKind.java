package dev.avocet.core.store;

/** What the store does beside the messages, and might hold them up with. */
enum PauseKind {
    /** From the append that begins a segment until the next force is over. */
    ROLL,
    /** Room is made for the next segment. */
    PREPARE,
    CHECKPOINT,
    DROP,
    /** The JVM was stopped. What meets this counts for nothing else. */
    GC
}
