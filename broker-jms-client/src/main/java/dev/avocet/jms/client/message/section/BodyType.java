package dev.avocet.jms.client.message.section;

/** The numbers of x-opt-jms-msg-type. */
public enum BodyType {
    MESSAGE,
    OBJECT,
    MAP,
    BYTES,
    STREAM,
    TEXT
}
