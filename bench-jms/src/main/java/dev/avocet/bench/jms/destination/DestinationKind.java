package dev.avocet.bench.jms.destination;

/** What the names are names of. */
public enum DestinationKind {
    /** Each message goes to one consumer. */
    QUEUE,
    /** Each message goes to every consumer. */
    TOPIC,
    /** A topic whose consumers share one subscription: each message goes to one of them. */
    SHARED
}
