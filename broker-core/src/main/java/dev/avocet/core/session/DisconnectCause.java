package dev.avocet.core.session;

/** Why the broker closes a client's connection. A front end turns it into the reason code of its protocol. */
public enum DisconnectCause {
    /** The same client has connected again. */
    TAKEN_OVER,
    /** The broker is stopping. */
    SHUTTING_DOWN,
    /** An administrator asked for it. */
    ADMINISTRATIVE_ACTION,
    /** Nothing was acknowledged while much passed by. */
    NEVER_ACKNOWLEDGING,
    /** The client stopped reading. */
    STALLED
}
