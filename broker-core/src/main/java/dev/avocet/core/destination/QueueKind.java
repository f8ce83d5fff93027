package dev.avocet.core.destination;

/** Where a queue comes from. */
public enum QueueKind {
    /** An object of the configuration. */
    CONFIGURED,
    /** Made because a client asked for it that may; goes when it is empty and no client uses it. */
    DYNAMIC,
    /** Made for one connection, and gone with it. Nothing of it survives the broker. */
    TEMPORARY
}
