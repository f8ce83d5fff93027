package dev.avocet.amqp.codec;

import java.util.Arrays;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.types.transport.AMQPHeader;

/**
 * One frame, or one protocol header, as it came: a part of an array that holds it until the next one is taken.
 *
 * @param length of all of it, in bytes
 */
public record Frame(byte[] bytes, int from, int length) {
    /** Codes of performatives. */
    public static final int OPEN = 0x10;

    public static final int FLOW = 0x13;
    public static final int TRANSFER = 0x14;
    public static final int DISPOSITION = 0x15;
    public static final int CLOSE = 0x18;

    static final int PREAMBLE_BYTES = 8;
    private static final int AMQP_TYPE = 0;
    private static final int SASL_TYPE = 1;
    private static final int PROTOCOL_ID_INDEX = 4;
    private static final int SMALL_ULONG = 0x53;

    /** True for {@code AMQP}, protocol and version, with which a connection begins. */
    public boolean isHeader() {
        return isHeader(bytes, from);
    }

    static boolean isHeader(byte[] bytes, int at) {
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
        return (bytes[from + 5] & 0xFF) == AMQP_TYPE;
    }

    public boolean isSasl() {
        return (bytes[from + 5] & 0xFF) == SASL_TYPE;
    }

    /** The channel of an AMQP frame. */
    public int channel() {
        return (bytes[from + 6] & 0xFF) << 8 | bytes[from + 7] & 0xFF;
    }

    /** Where the performative begins; the end of the frame when it has none. */
    public int bodyFrom() {
        return from + (bytes[from + 4] & 0xFF) * 4;
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
        int at = bodyFrom();
        return to() - at > 2 && bytes[at] == 0 && (bytes[at + 1] & 0xFF) == SMALL_ULONG ? bytes[at + 2] & 0xFF : 0;
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
