package dev.avocet.core.queue;

/** What became of a message that an administrator wants in another queue. */
public enum Relocation {
    /** It is there, and here no longer. */
    MOVED,
    /** It stays: the other queue is full, is being deleted, or stores nothing and the message is on disk only. */
    NO_ROOM,
    /** It stays, as no queue was chosen for it. */
    NO_TARGET,
    /** It stays: a receiver has it, its time has not come, or it is being read from the disk at this moment. */
    BUSY,
    /** It is not here. */
    NOT_HERE
}
