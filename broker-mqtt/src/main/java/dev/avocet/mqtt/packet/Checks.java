package dev.avocet.mqtt.packet;

/** What the constructors of several packets refuse, always with an {@link IllegalArgumentException}. */
final class Checks {
    static final long MAX_UNSIGNED_INT = 0xFFFF_FFFFL;

    private Checks() {}

    static void packetId(int packetId) {
        range("packet identifier", packetId, 1, 0xFFFF); // [MQTT-2.2.1-3] [MQTT-2.2.1-4]
    }

    static void allowed(ReasonCode reasonCode, PacketType packet) {
        if (!reasonCode.isAllowedIn(packet)) {
            throw new IllegalArgumentException(reasonCode + " is not a reason code of " + packet);
        }
    }

    static void range(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " must be " + min + " to " + max + ", not " + value);
        }
    }

    static void that(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
