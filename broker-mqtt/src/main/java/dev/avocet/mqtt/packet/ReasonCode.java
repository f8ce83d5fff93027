package dev.avocet.mqtt.packet;

import static dev.avocet.mqtt.packet.PacketType.AUTH;
import static dev.avocet.mqtt.packet.PacketType.CONNACK;
import static dev.avocet.mqtt.packet.PacketType.DISCONNECT;
import static dev.avocet.mqtt.packet.PacketType.PUBACK;
import static dev.avocet.mqtt.packet.PacketType.PUBCOMP;
import static dev.avocet.mqtt.packet.PacketType.PUBREC;
import static dev.avocet.mqtt.packet.PacketType.PUBREL;
import static dev.avocet.mqtt.packet.PacketType.SUBACK;
import static dev.avocet.mqtt.packet.PacketType.UNSUBACK;

import org.jspecify.annotations.Nullable;

/** The outcome of an operation, [MQTT 5.0 section 2.4], with the packets that may carry it. */
public enum ReasonCode {
    SUCCESS(0x00, CONNACK, PUBACK, PUBREC, PUBREL, PUBCOMP, SUBACK, UNSUBACK, DISCONNECT, AUTH),
    GRANTED_QOS_1(0x01, SUBACK),
    GRANTED_QOS_2(0x02, SUBACK),
    DISCONNECT_WITH_WILL_MESSAGE(0x04, DISCONNECT),
    NO_MATCHING_SUBSCRIBERS(0x10, PUBACK, PUBREC),
    NO_SUBSCRIPTION_EXISTED(0x11, UNSUBACK),
    CONTINUE_AUTHENTICATION(0x18, AUTH),
    REAUTHENTICATE(0x19, AUTH),
    UNSPECIFIED_ERROR(0x80, CONNACK, PUBACK, PUBREC, SUBACK, UNSUBACK, DISCONNECT),
    MALFORMED_PACKET(0x81, CONNACK, DISCONNECT),
    PROTOCOL_ERROR(0x82, CONNACK, DISCONNECT),
    IMPLEMENTATION_SPECIFIC_ERROR(0x83, CONNACK, PUBACK, PUBREC, SUBACK, UNSUBACK, DISCONNECT),
    UNSUPPORTED_PROTOCOL_VERSION(0x84, CONNACK),
    CLIENT_IDENTIFIER_NOT_VALID(0x85, CONNACK),
    BAD_USER_NAME_OR_PASSWORD(0x86, CONNACK),
    NOT_AUTHORIZED(0x87, CONNACK, PUBACK, PUBREC, SUBACK, UNSUBACK, DISCONNECT),
    SERVER_UNAVAILABLE(0x88, CONNACK),
    SERVER_BUSY(0x89, CONNACK, DISCONNECT),
    BANNED(0x8A, CONNACK),
    SERVER_SHUTTING_DOWN(0x8B, DISCONNECT),
    BAD_AUTHENTICATION_METHOD(0x8C, CONNACK, DISCONNECT),
    KEEP_ALIVE_TIMEOUT(0x8D, DISCONNECT),
    SESSION_TAKEN_OVER(0x8E, DISCONNECT),
    TOPIC_FILTER_INVALID(0x8F, SUBACK, UNSUBACK, DISCONNECT),
    TOPIC_NAME_INVALID(0x90, CONNACK, PUBACK, PUBREC, DISCONNECT),
    PACKET_IDENTIFIER_IN_USE(0x91, PUBACK, PUBREC, SUBACK, UNSUBACK),
    PACKET_IDENTIFIER_NOT_FOUND(0x92, PUBREL, PUBCOMP),
    RECEIVE_MAXIMUM_EXCEEDED(0x93, DISCONNECT),
    TOPIC_ALIAS_INVALID(0x94, DISCONNECT),
    PACKET_TOO_LARGE(0x95, CONNACK, DISCONNECT),
    MESSAGE_RATE_TOO_HIGH(0x96, DISCONNECT),
    QUOTA_EXCEEDED(0x97, CONNACK, PUBACK, PUBREC, SUBACK, DISCONNECT),
    ADMINISTRATIVE_ACTION(0x98, DISCONNECT),
    PAYLOAD_FORMAT_INVALID(0x99, CONNACK, PUBACK, PUBREC, DISCONNECT),
    RETAIN_NOT_SUPPORTED(0x9A, CONNACK, DISCONNECT),
    QOS_NOT_SUPPORTED(0x9B, CONNACK, DISCONNECT),
    USE_ANOTHER_SERVER(0x9C, CONNACK, DISCONNECT),
    SERVER_MOVED(0x9D, CONNACK, DISCONNECT),
    SHARED_SUBSCRIPTIONS_NOT_SUPPORTED(0x9E, SUBACK, DISCONNECT),
    CONNECTION_RATE_EXCEEDED(0x9F, CONNACK, DISCONNECT),
    MAXIMUM_CONNECT_TIME(0xA0, DISCONNECT),
    SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED(0xA1, SUBACK, DISCONNECT),
    WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED(0xA2, SUBACK, DISCONNECT);

    /** {@link #SUCCESS} as DISCONNECT calls it. */
    public static final ReasonCode NORMAL_DISCONNECTION = SUCCESS;

    /** {@link #SUCCESS} as SUBACK calls it. */
    public static final ReasonCode GRANTED_QOS_0 = SUCCESS;

    /** What {@link #connackCode} answers when the version has no word for it. */
    public static final int NO_CODE = -1;

    private static final @Nullable ReasonCode[] BY_NUMBER = new @Nullable ReasonCode[256];

    static {
        for (ReasonCode reasonCode : values()) {
            BY_NUMBER[reasonCode.number] = reasonCode;
        }
    }

    private final int number;
    private final int packetMask;

    ReasonCode(int number, PacketType... packets) {
        int mask = 0;
        for (PacketType packet : packets) {
            mask |= packet.mask();
        }
        this.number = number;
        this.packetMask = mask;
    }

    /** The code with this number, or null when the standard does not define it. */
    public static @Nullable ReasonCode of(int number) {
        return number < 0 || number > 255 ? null : BY_NUMBER[number];
    }

    /**
     * What the return code of a CONNACK packet before MQTT 5 means, or null for a number that is reserved: the inverse
     * of {@link #connackCode} as far as it goes.
     */
    public static @Nullable ReasonCode ofConnackReturnCode(int returnCode) {
        return switch (returnCode) {
            case 0 -> SUCCESS;
            case 1 -> UNSUPPORTED_PROTOCOL_VERSION;
            case 2 -> CLIENT_IDENTIFIER_NOT_VALID;
            case 3 -> SERVER_UNAVAILABLE;
            case 4 -> BAD_USER_NAME_OR_PASSWORD;
            case 5 -> NOT_AUTHORIZED;
            default -> null;
        };
    }

    /** The code on the wire, 0 to 255. */
    public int number() {
        return number;
    }

    /** True when the operation failed: 0x80 and above. */
    public boolean isError() {
        return number >= 0x80;
    }

    /** True when packets of this type may carry the code. */
    public boolean isAllowedIn(PacketType packet) {
        return (packetMask & packet.mask()) != 0;
    }

    /**
     * The code with which a packet of this type says it: this one where the packet may carry it, else the one that
     * comes closest. What ends a connection may have come up in any of its states, so only the packet that tells the
     * client knows which code it can be.
     *
     * @param packet CONNACK or DISCONNECT, the packets with which a server ends a connection
     */
    public ReasonCode within(PacketType packet) {
        if (isAllowedIn(packet)) {
            return this;
        }
        return switch (this) {
            case UNSUPPORTED_PROTOCOL_VERSION,
                    CLIENT_IDENTIFIER_NOT_VALID,
                    PACKET_IDENTIFIER_IN_USE,
                    PACKET_IDENTIFIER_NOT_FOUND,
                    TOPIC_ALIAS_INVALID,
                    RECEIVE_MAXIMUM_EXCEEDED -> PROTOCOL_ERROR;
            case BAD_USER_NAME_OR_PASSWORD, BANNED -> NOT_AUTHORIZED;
            case SERVER_UNAVAILABLE -> SERVER_BUSY;
            case SERVER_SHUTTING_DOWN -> SERVER_UNAVAILABLE;
            default -> UNSPECIFIED_ERROR;
        };
    }

    /**
     * How a CONNACK packet of this version says it. Versions before 5 know six return codes; where none applies the
     * answer is {@link #NO_CODE} and the server closes the connection without CONNACK [MQTT-3.2.2-6 of MQTT 3.1.1].
     */
    public int connackCode(ProtocolVersion version) {
        if (version.hasProperties()) {
            return number;
        }
        return switch (this) {
            case SUCCESS -> 0;
            case UNSUPPORTED_PROTOCOL_VERSION -> 1;
            case CLIENT_IDENTIFIER_NOT_VALID -> 2;
            case SERVER_UNAVAILABLE,
                    SERVER_BUSY,
                    QUOTA_EXCEEDED,
                    USE_ANOTHER_SERVER,
                    SERVER_MOVED,
                    CONNECTION_RATE_EXCEEDED,
                    UNSPECIFIED_ERROR,
                    IMPLEMENTATION_SPECIFIC_ERROR -> 3;
            case BAD_USER_NAME_OR_PASSWORD -> 4;
            case NOT_AUTHORIZED, BANNED -> 5;
            default -> NO_CODE;
        };
    }
}
