package dev.avocet.jms.message;

/** The numbers of x-opt-jms-msg-type. */
enum BodyType {
    MESSAGE,
    OBJECT,
    MAP,
    BYTES,
    STREAM,
    TEXT
}
