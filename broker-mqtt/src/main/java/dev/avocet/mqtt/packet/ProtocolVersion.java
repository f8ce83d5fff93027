package dev.avocet.mqtt.packet;

import org.jspecify.annotations.Nullable;

/** The versions of MQTT that the codec speaks. Later versions compare as greater. */
public enum ProtocolVersion {
    V3_1("MQIsdp", 3),
    V3_1_1("MQTT", 4),
    V5("MQTT", 5);

    private final String protocolName;
    private final int level;

    ProtocolVersion(String protocolName, int level) {
        this.protocolName = protocolName;
        this.level = level;
    }

    /** The version with this name and level in a CONNECT packet, or null when there is none. */
    public static @Nullable ProtocolVersion of(String protocolName, int level) {
        return switch (level) {
            case 3 -> V3_1.protocolName.equals(protocolName) ? V3_1 : null;
            case 4 -> V3_1_1.protocolName.equals(protocolName) ? V3_1_1 : null;
            case 5 -> V5.protocolName.equals(protocolName) ? V5 : null;
            default -> null;
        };
    }

    /** What a CONNECT packet of this version begins with. */
    public String protocolName() {
        return protocolName;
    }

    /** The number that follows the name in a CONNECT packet. */
    public int level() {
        return level;
    }

    /** True when packets carry properties and acknowledgements carry reason codes. */
    public boolean hasProperties() {
        return this == V5;
    }
}
