package dev.avocet.mqtt.frontend;

/**
 * The beginning of a frame (RFC 6455, 5.2), collected byte by byte and checked as soon as it can be. One per
 * connection.
 */
final class FrameHeader {
    static final int CONTINUATION = 0x0;
    static final int TEXT = 0x1;
    static final int BINARY = 0x2;
    static final int CLOSE = 0x8;
    static final int PING = 0x9;
    static final int PONG = 0xA;

    static final int FINAL_BIT = 0x80;
    static final int LENGTH_2_BYTES = 126;
    static final int LENGTH_8_BYTES = 127;
    static final int MAX_CONTROL_BYTES = 125;

    private static final int RESERVED_BITS = 0x70;
    private static final int OPCODE_BITS = 0x0F;
    private static final int MASK_BIT = 0x80;
    private static final int LENGTH_BITS = 0x7F;
    private static final int START_BYTES = 2;
    private static final int MASK_BYTES = 4;
    private static final int MAX_BYTES = START_BYTES + 8 + MASK_BYTES;

    private final int maxPayloadBytes;
    private final byte[] bytes = new byte[MAX_BYTES];
    private int length;
    private int neededLength = START_BYTES;
    private boolean withinMessage;

    FrameHeader(int maxPayloadBytes) {
        this.maxPayloadBytes = maxPayloadBytes;
    }

    /** Takes the next byte; true when the header is complete. */
    boolean add(byte next) throws BadFrameException {
        bytes[length++] = next;
        if (length < neededLength) {
            return false;
        }
        if (length == START_BYTES) {
            checkStart();
            neededLength = START_BYTES + extendedLengthBytes() + MASK_BYTES;
            return false;
        }
        long declared = declaredLength();
        if (declared < 0 || declared > maxPayloadBytes) {
            throw new BadFrameException(CloseStatus.TOO_LARGE, "a frame has at most " + maxPayloadBytes + " bytes");
        }
        return true;
    }

    /** The frame is over; another one begins. */
    void reset() {
        if (!isControl()) {
            withinMessage = !isFinal();
        }
        length = 0;
        neededLength = START_BYTES;
    }

    int opcode() {
        return bytes[0] & OPCODE_BITS;
    }

    boolean isControl() {
        return opcode() >= CLOSE;
    }

    int payloadLength() {
        return (int) declaredLength(); // has been checked
    }

    /** The mask, its first byte in the highest eight bits. */
    int mask() {
        return (int) bigEndian(neededLength - MASK_BYTES, MASK_BYTES);
    }

    private void checkStart() throws BadFrameException {
        require((bytes[0] & RESERVED_BITS) == 0, "a reserved bit is set, but no extension was agreed on");
        require((bytes[1] & MASK_BIT) != 0, "a client masks its frames");
        switch (opcode()) {
            case CONTINUATION -> require(withinMessage, "a continuation of nothing");
            case BINARY -> require(!withinMessage, "a new message within a fragmented one");
            case TEXT ->
                throw new BadFrameException(CloseStatus.UNSUPPORTED_DATA, "MQTT comes in binary frames [MQTT-6.0.0-1]");
            case CLOSE, PING, PONG -> {
                require(isFinal(), "a fragmented control frame");
                require(shortLength() <= MAX_CONTROL_BYTES, "a control frame has at most 125 bytes");
            }
            default -> throw new BadFrameException(CloseStatus.PROTOCOL_ERROR, "an unknown kind of frame");
        }
    }

    private static void require(boolean condition, String reason) throws BadFrameException {
        if (!condition) {
            throw new BadFrameException(CloseStatus.PROTOCOL_ERROR, reason);
        }
    }

    private boolean isFinal() {
        return (bytes[0] & FINAL_BIT) != 0;
    }

    private int shortLength() {
        return bytes[1] & LENGTH_BITS;
    }

    private int extendedLengthBytes() {
        return switch (shortLength()) {
            case LENGTH_2_BYTES -> 2;
            case LENGTH_8_BYTES -> 8;
            default -> 0;
        };
    }

    private long declaredLength() {
        int extendedBytes = extendedLengthBytes();
        return extendedBytes == 0 ? shortLength() : bigEndian(START_BYTES, extendedBytes);
    }

    private long bigEndian(int from, int count) {
        long value = 0;
        for (int i = from; i < from + count; i++) {
            value = value << 8 | bytes[i] & 0xFF;
        }
        return value;
    }
}
