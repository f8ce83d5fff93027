package dev.avocet.jms.client.message;

/** The numbers of x-opt-jms-msg-type. */
enum BodyType {
    MESSAGE,
    OBJECT,
    MAP,
    BYTES,
    STREAM,
    TEXT
}
