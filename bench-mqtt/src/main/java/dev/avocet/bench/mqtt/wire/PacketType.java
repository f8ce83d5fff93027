package dev.avocet.bench.mqtt.wire;

/** The first byte of each packet, with its flags where they are fixed. */
public final class PacketType {
    public static final int CONNECT = 0x10;
    public static final int CONNACK = 0x20;
    public static final int PUBLISH = 0x30;
    public static final int PUBACK = 0x40;
    public static final int PUBREC = 0x50;
    public static final int PUBREL = 0x62;
    public static final int PUBCOMP = 0x70;
    public static final int SUBSCRIBE = 0x82;
    public static final int SUBACK = 0x90;
    public static final int UNSUBSCRIBE = 0xA2;
    public static final int UNSUBACK = 0xB0;
    public static final int PINGREQ = 0xC0;
    public static final int PINGRESP = 0xD0;
    public static final int DISCONNECT = 0xE0;

    private PacketType() {}
}
