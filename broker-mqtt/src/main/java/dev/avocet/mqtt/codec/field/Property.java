package dev.avocet.mqtt.codec.field;

import static dev.avocet.mqtt.packet.PacketType.AUTH;
import static dev.avocet.mqtt.packet.PacketType.CONNACK;
import static dev.avocet.mqtt.packet.PacketType.CONNECT;
import static dev.avocet.mqtt.packet.PacketType.DISCONNECT;
import static dev.avocet.mqtt.packet.PacketType.PUBACK;
import static dev.avocet.mqtt.packet.PacketType.PUBCOMP;
import static dev.avocet.mqtt.packet.PacketType.PUBLISH;
import static dev.avocet.mqtt.packet.PacketType.PUBREC;
import static dev.avocet.mqtt.packet.PacketType.PUBREL;
import static dev.avocet.mqtt.packet.PacketType.SUBACK;
import static dev.avocet.mqtt.packet.PacketType.SUBSCRIBE;
import static dev.avocet.mqtt.packet.PacketType.UNSUBACK;
import static dev.avocet.mqtt.packet.PacketType.UNSUBSCRIBE;

import dev.avocet.mqtt.packet.PacketType;
import org.jspecify.annotations.Nullable;

/** The properties of MQTT 5.0, section 2.2.2.2: identifier, type, and where they are allowed. */
public enum Property {
    PAYLOAD_FORMAT_INDICATOR(0x01, PropertyType.FLAG, Property.WILL | PUBLISH.mask()),
    MESSAGE_EXPIRY_INTERVAL(0x02, PropertyType.FOUR_BYTE, Property.WILL | PUBLISH.mask()),
    CONTENT_TYPE(0x03, PropertyType.UTF8, Property.WILL | PUBLISH.mask()),
    RESPONSE_TOPIC(0x08, PropertyType.UTF8, Property.WILL | PUBLISH.mask()),
    CORRELATION_DATA(0x09, PropertyType.BINARY, Property.WILL | PUBLISH.mask()),
    SUBSCRIPTION_IDENTIFIER(0x0B, PropertyType.VAR_INT, PUBLISH.mask() | SUBSCRIBE.mask()),
    SESSION_EXPIRY_INTERVAL(0x11, PropertyType.FOUR_BYTE, CONNECT.mask() | CONNACK.mask() | DISCONNECT.mask()),
    ASSIGNED_CLIENT_IDENTIFIER(0x12, PropertyType.UTF8, CONNACK.mask()),
    SERVER_KEEP_ALIVE(0x13, PropertyType.TWO_BYTE, CONNACK.mask()),
    AUTHENTICATION_METHOD(0x15, PropertyType.UTF8, CONNECT.mask() | CONNACK.mask() | AUTH.mask()),
    AUTHENTICATION_DATA(0x16, PropertyType.BINARY, CONNECT.mask() | CONNACK.mask() | AUTH.mask()),
    REQUEST_PROBLEM_INFORMATION(0x17, PropertyType.FLAG, CONNECT.mask()),
    WILL_DELAY_INTERVAL(0x18, PropertyType.FOUR_BYTE, Property.WILL),
    REQUEST_RESPONSE_INFORMATION(0x19, PropertyType.FLAG, CONNECT.mask()),
    RESPONSE_INFORMATION(0x1A, PropertyType.UTF8, CONNACK.mask()),
    SERVER_REFERENCE(0x1C, PropertyType.UTF8, CONNACK.mask() | DISCONNECT.mask()),
    REASON_STRING(0x1F, PropertyType.UTF8, Sets.ANSWERS),
    RECEIVE_MAXIMUM(0x21, PropertyType.TWO_BYTE, CONNECT.mask() | CONNACK.mask()),
    TOPIC_ALIAS_MAXIMUM(0x22, PropertyType.TWO_BYTE, CONNECT.mask() | CONNACK.mask()),
    TOPIC_ALIAS(0x23, PropertyType.TWO_BYTE, PUBLISH.mask()),
    MAXIMUM_QOS(0x24, PropertyType.FLAG, CONNACK.mask()),
    RETAIN_AVAILABLE(0x25, PropertyType.FLAG, CONNACK.mask()),
    USER_PROPERTY(
            0x26,
            PropertyType.UTF8_PAIR,
            Property.WILL | Sets.ANSWERS | CONNECT.mask() | PUBLISH.mask() | SUBSCRIBE.mask() | UNSUBSCRIBE.mask()),
    MAXIMUM_PACKET_SIZE(0x27, PropertyType.FOUR_BYTE, CONNECT.mask() | CONNACK.mask()),
    WILDCARD_SUBSCRIPTION_AVAILABLE(0x28, PropertyType.FLAG, CONNACK.mask()),
    SUBSCRIPTION_IDENTIFIER_AVAILABLE(0x29, PropertyType.FLAG, CONNACK.mask()),
    SHARED_SUBSCRIPTION_AVAILABLE(0x2A, PropertyType.FLAG, CONNACK.mask());

    /** Sets of packets; a class of its own, because constants of an enum cannot use its other fields. */
    private static final class Sets {
        static final int ANSWERS = CONNACK.mask()
                | PUBACK.mask()
                | PUBREC.mask()
                | PUBREL.mask()
                | PUBCOMP.mask()
                | SUBACK.mask()
                | UNSUBACK.mask()
                | DISCONNECT.mask()
                | AUTH.mask();
    }

    /** The will properties inside CONNECT, as a bit beside those of the packet types. */
    public static final int WILL = 1;

    private static final @Nullable Property[] BY_ID = new @Nullable Property[128];

    static {
        for (Property property : values()) {
            BY_ID[property.id] = property;
        }
    }

    private final int id;
    private final PropertyType type;
    private final int allowedMask;

    Property(int id, PropertyType type, int allowedMask) {
        this.id = id;
        this.type = type;
        this.allowedMask = allowedMask;
    }

    /**
     * The property with this identifier, or null. Identifiers are variable byte integers, but all defined ones have one
     * byte.
     */
    static @Nullable Property of(byte id) {
        return id < 0 ? null : BY_ID[id];
    }

    int id() {
        return id;
    }

    PropertyType type() {
        return type;
    }

    /** @param scope {@link #WILL} or the mask of a packet type */
    boolean isAllowedIn(int scope) {
        return (allowedMask & scope) != 0;
    }

    boolean isRepeatableIn(int scope) {
        return this == USER_PROPERTY || (this == SUBSCRIPTION_IDENTIFIER && scope == PacketType.PUBLISH.mask());
    }

    /** True for what belongs to the message and goes unchanged to its receivers. */
    public boolean isForwardable() {
        return switch (this) {
            case PAYLOAD_FORMAT_INDICATOR, CONTENT_TYPE, RESPONSE_TOPIC, CORRELATION_DATA, USER_PROPERTY -> true;
            default -> false;
        };
    }

    /** True when 0 is no value of it. */
    boolean isPositive() {
        return switch (this) {
            case RECEIVE_MAXIMUM, MAXIMUM_PACKET_SIZE, TOPIC_ALIAS, SUBSCRIPTION_IDENTIFIER -> true;
            default -> false;
        };
    }
}
