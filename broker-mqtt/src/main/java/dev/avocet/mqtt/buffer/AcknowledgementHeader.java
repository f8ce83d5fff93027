package dev.avocet.mqtt.buffer;

/** The first byte of each acknowledgement, flags included. */
public final class AcknowledgementHeader {
    public static final int PUBACK = 0x40;
    public static final int PUBREC = 0x50;
    public static final int PUBREL = 0x62;
    public static final int PUBCOMP = 0x70;

    private AcknowledgementHeader() {}
}
