package dev.avocet.mqtt.packet;

import org.jspecify.annotations.Nullable;

/** The control packet types, [MQTT 5.0 section 2.1.2]. */
public enum PacketType {
    CONNECT,
    CONNACK,
    PUBLISH,
    PUBACK,
    PUBREC,
    PUBREL,
    PUBCOMP,
    SUBSCRIBE,
    SUBACK,
    UNSUBSCRIBE,
    UNSUBACK,
    PINGREQ,
    PINGRESP,
    DISCONNECT,
    AUTH;

    private static final PacketType[] VALUES = values();

    /** The type in the first byte of a packet, or null for type 0, which is reserved. */
    public static @Nullable PacketType ofHeader(int header) {
        int number = (header & 0xF0) >>> 4;
        return number == 0 ? null : VALUES[number - 1];
    }

    /** The type on the wire, 1 to 15. */
    public int number() {
        return ordinal() + 1;
    }

    /** This type's bit in a set of types that is kept as an int. */
    public int mask() {
        return 1 << number();
    }
}
