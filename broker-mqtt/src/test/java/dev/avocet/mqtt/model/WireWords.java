package dev.avocet.mqtt.model;

/** Numbers with a meaning. */
final class WireWords {
    /** The expiry interval of a session that does not expire. */
    static final long NEVER = 0xFFFF_FFFFL;

    private WireWords() {}
}
