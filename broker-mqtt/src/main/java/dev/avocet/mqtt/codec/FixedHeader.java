package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;

/** The first byte of a packet: its type and four flags. */
final class FixedHeader {
    private static final int FLAGS = 0x0F;
    private static final int RESERVED_TWO = 0b0010;

    private FixedHeader() {}

    /** The first byte of any packet but PUBLISH. */
    static int of(PacketType type) {
        return type.number() << 4 | reservedFlags(type);
    }

    /** Checks the flags, which are reserved in all packets but PUBLISH [MQTT-2.1.3-1]. */
    static void check(PacketType type, ProtocolVersion version, int header) throws MalformedPacketException {
        boolean valid =
                switch (version) {
                    // MQTT 3.1 leaves the flags unused, and has DUP in the packets that it sends with QoS 1
                    case V3_1 -> true;
                    // [MQTT-3.6.1-1] [MQTT-3.8.1-1] [MQTT-3.10.1-1] [MQTT-3.14.1-1] [MQTT-3.15.1-1]
                    case V3_1_1, V5 -> (header & FLAGS) == reservedFlags(type);
                };
        if (!valid) {
            throw MalformedPacketException.malformed(
                    type + ": reserved flags are " + (header & FLAGS) + " [MQTT-2.1.3-1]");
        }
    }

    private static int reservedFlags(PacketType type) {
        return switch (type) {
            case PUBREL, SUBSCRIBE, UNSUBSCRIBE -> RESERVED_TWO;
            default -> 0;
        };
    }
}
