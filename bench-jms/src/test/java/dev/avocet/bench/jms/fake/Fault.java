package dev.avocet.bench.jms.fake;

/** What happens to one message in so many. */
public enum Fault {
    NONE,
    DROP,
    DOUBLE,
    /** It comes behind the next one. */
    SWAP,
    /** One of its bits is another. */
    DAMAGE,
    /** It waits until it is let go. */
    HOLD
}
