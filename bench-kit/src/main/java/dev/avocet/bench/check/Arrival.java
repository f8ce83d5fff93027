package dev.avocet.bench.check;

/** What the arrival of a message means for its stream. */
public enum Arrival {
    /** New, and behind all that came before it. */
    IN_ORDER,
    /** New, but a later one came first. */
    OUT_OF_ORDER,
    /** It has come before. */
    DUPLICATE,
    /** So late that it cannot be known whether it has come before. */
    UNKNOWN,
    /** Not as it was sent: it belongs to no stream. */
    DAMAGED
}
