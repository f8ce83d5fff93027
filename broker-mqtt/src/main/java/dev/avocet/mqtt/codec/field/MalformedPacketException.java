package dev.avocet.mqtt.codec.field;

import dev.avocet.mqtt.packet.ReasonCode;

/**
 * Bytes that are no packet, or a packet that the standard forbids. Has no stack trace: its cause is the client, not a
 * place in the code. The connection must be closed [MQTT-4.13.1-1], with {@link #reasonCode()} in a DISCONNECT or
 * CONNACK packet.
 */
public final class MalformedPacketException extends Exception {
    private static final long serialVersionUID = 1;

    private final ReasonCode reasonCode;

    public MalformedPacketException(ReasonCode reasonCode, String reason) {
        super(reason, null, false, false);
        this.reasonCode = reasonCode;
    }

    /** The packet cannot be parsed. */
    public static MalformedPacketException malformed(String reason) {
        return new MalformedPacketException(ReasonCode.MALFORMED_PACKET, reason);
    }

    /** The packet can be parsed, but has content that is not allowed. */
    public static MalformedPacketException protocolError(String reason) {
        return new MalformedPacketException(ReasonCode.PROTOCOL_ERROR, reason);
    }

    /** An error, 0x81 in most cases. */
    public ReasonCode reasonCode() {
        return reasonCode;
    }

    /** What is wrong, in plain words and without a secret or unbounded text: fit for a log and a reason string. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
