package dev.avocet.mqtt.connection;

/** The first byte of each acknowledgement, flags included. */
final class AcknowledgementHeader {
    static final int PUBACK = 0x40;
    static final int PUBREC = 0x50;
    static final int PUBREL = 0x62;
    static final int PUBCOMP = 0x70;

    private AcknowledgementHeader() {}
}
