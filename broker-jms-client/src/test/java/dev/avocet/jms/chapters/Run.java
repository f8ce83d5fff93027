package dev.avocet.jms.chapters;

/** A client with a server. */
public enum Run {
    /** The client and the broker of this house. */
    AVOCET,

    /** Apache Qpid JMS with the broker of this house. */
    QPID_CLIENT,

    /** The client of this house with Apache Artemis. */
    ARTEMIS_BROKER
}
