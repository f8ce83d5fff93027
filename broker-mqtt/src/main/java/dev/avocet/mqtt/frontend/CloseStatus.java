package dev.avocet.mqtt.frontend;

/** Why a WebSocket connection is closed (RFC 6455, 7.4.1). */
enum CloseStatus {
    NORMAL(1000),
    PROTOCOL_ERROR(1002),
    UNSUPPORTED_DATA(1003),
    TOO_LARGE(1009);

    private final int code;

    CloseStatus(int code) {
        this.code = code;
    }

    /** What a close frame with this status contains. */
    byte[] payload() {
        return new byte[] {(byte) (code >>> 8), (byte) code};
    }
}
