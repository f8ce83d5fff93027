package dev.avocet.core.publish;

/** For which queues a message waits that asks for room. */
public enum Patience {
    /** For every queue that slows its publishers down, also for one that may lose the message. */
    FOR_ALL,
    /** For those only that must take it. */
    FOR_TAKERS,
    /** For none any longer: where it may be lost and there is no room, it is. */
    OVER
}
