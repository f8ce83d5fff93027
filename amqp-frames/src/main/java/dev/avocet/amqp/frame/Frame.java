package dev.avocet.amqp.frame;

import java.util.Arrays;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.types.transport.AMQPHeader;

/**
 * One frame [AMQP 1.0 part 2, 2.3], or one protocol header [2.2], as it came: a part of an array that holds it until
 * the next one is taken. The static methods ask the same of an array, so that no object is made of the frame.
 *
 * @param length of all of it, in bytes
 */
public record Frame(byte[] bytes, int from, int length) {
    /** Codes of performatives [AMQP 1.0 part 2, 2.7]. */
    public static final int OPEN = 0x10;

    public static final int FLOW = 0x13;
    public static final int TRANSFER = 0x14;
    public static final int DISPOSITION = 0x15;
    public static final int CLOSE = 0x18;

    /** What each frame begins with; as long as a protocol header is. */
    public static final int PREAMBLE_BYTES = 8;

    private static final int AMQP_TYPE = 0;
    private static final int SASL_TYPE = 1;
    private static final int PROTOCOL_ID_INDEX = 4;
    private static final int DATA_OFFSET_INDEX = 4;
    private static final int TYPE_INDEX = 5;
    private static final int CHANNEL_INDEX = 6;
    /** What a data offset counts. */
    private static final int DATA_OFFSET_BYTES = 4;

    /** True for {@code AMQP}, protocol and version, with which a connection begins. */
    public boolean isHeader() {
        return isHeader(bytes, from);
    }

    /** The same of what begins at {@code at}; there are four bytes at least. */
    public static boolean isHeader(byte[] bytes, int at) {
        return bytes[at] == 'A' && bytes[at + 1] == 'M' && bytes[at + 2] == 'Q' && bytes[at + 3] == 'P';
    }

    /** Of a protocol header: 0 for AMQP, 2 for TLS, 3 for SASL. */
    public int protocolId() {
        return bytes[from + PROTOCOL_ID_INDEX];
    }

    /** True for a protocol header of version 1.0.0. */
    public boolean isVersion1() {
        return bytes[from + 5] == 1 && bytes[from + 6] == 0 && bytes[from + 7] == 0;
    }

    public boolean isAmqp() {
        return isAmqp(bytes, from);
    }

    static boolean isAmqp(byte[] bytes, int from) {
        return (bytes[from + TYPE_INDEX] & 0xFF) == AMQP_TYPE;
    }

    public boolean isSasl() {
        return (bytes[from + TYPE_INDEX] & 0xFF) == SASL_TYPE;
    }

    /** The channel of an AMQP frame. */
    public int channel() {
        return channel(bytes, from);
    }

    /** The channel of the AMQP frame that begins at {@code from}. */
    public static int channel(byte[] bytes, int from) {
        return (bytes[from + CHANNEL_INDEX] & 0xFF) << 8 | bytes[from + CHANNEL_INDEX + 1] & 0xFF;
    }

    /** Where the performative begins; the end of the frame when it has none. */
    public int bodyFrom() {
        return bodyFrom(bytes, from);
    }

    /** Where the performative begins of the frame that begins at {@code from}, by what the frame itself says. */
    public static int bodyFrom(byte[] bytes, int from) {
        return from + (bytes[from + DATA_OFFSET_INDEX] & 0xFF) * DATA_OFFSET_BYTES;
    }

    /** How many bytes the frame has that begins at {@code from}, by what it says itself. */
    public static long size(byte[] bytes, int from) {
        return uint32(bytes, from);
    }

    static long uint32(byte[] bytes, int from) {
        return (bytes[from] & 0xFFL) << 24
                | (bytes[from + 1] & 0xFF) << 16
                | (bytes[from + 2] & 0xFF) << 8
                | bytes[from + 3] & 0xFF;
    }

    public int to() {
        return from + length;
    }

    /** A copy of the whole frame for a decoder, which may keep it. */
    public ProtonBuffer buffer() {
        return ProtonByteArrayBufferAllocator.wrapped(Arrays.copyOfRange(bytes, from, to()))
                .convertToReadOnly();
    }

    /**
     * The code of the performative of a frame; 0 when it has none, or names it in another way than all do.
     */
    public int performative() {
        return performative(bytes, from, to());
    }

    /** The same of the frame from {@code from} to {@code to}. */
    public static int performative(byte[] bytes, int from, int to) {
        int at = bodyFrom(bytes, from);
        return to - at > 2 && bytes[at] == TypeCode.DESCRIBED && bytes[at + 1] == TypeCode.ULONG_SMALL
                ? bytes[at + 2] & 0xFF
                : 0;
    }

    /** A copy of what comes behind the preamble. */
    public ProtonBuffer body() {
        return ProtonByteArrayBufferAllocator.wrapped(Arrays.copyOfRange(bytes, bodyFrom(), to()))
                .convertToReadOnly();
    }

    /** The protocol header for a protocol. */
    public static byte[] header(int protocolId) {
        byte[] header = {'A', 'M', 'Q', 'P', (byte) protocolId, 1, 0, 0};
        assert header.length == AMQPHeader.HEADER_SIZE_BYTES;
        return header;
    }
}
