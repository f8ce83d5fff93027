package dev.avocet.amqp.codec;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.jspecify.annotations.Nullable;

/**
 * Finds frames in what a peer sends, and lets through only those that are complete, no larger than allowed, and safe to
 * decode. Never holds more than one read and one frame.
 *
 * <p>Owned by the connection's loop.
 */
public final class FrameInput {
    private static final byte[] NOTHING = {};

    private final SymbolMemory symbols;

    /** Frames refer to parts of it, so what is behind {@link #length} may be written and nothing else. */
    private byte[] bytes = NOTHING;

    private int from;
    private int length;

    public FrameInput(SymbolMemory symbols) {
        this.symbols = symbols;
    }

    /** Takes what has come; the buffer is released. */
    public void add(ByteBuf read) {
        try {
            int count = read.readableBytes();
            makeRoom(count);
            read.readBytes(bytes, length, count);
            length += count;
        } finally {
            read.release();
        }
    }

    /** True when nothing has come that was not taken. */
    public boolean isEmpty() {
        return from == length;
    }

    /** Forgets everything. */
    public void clear() {
        bytes = NOTHING;
        from = 0;
        length = 0;
    }

    /**
     * The next frame or protocol header; null when it has not come completely.
     *
     * @param maxFrameBytes a larger one is refused by its first four bytes
     */
    public @Nullable Frame next(int maxFrameBytes) throws AmqpException {
        if (length - from < Frame.PREAMBLE_BYTES) {
            return null;
        }
        int size = Frame.isHeader(bytes, from) ? Frame.PREAMBLE_BYTES : size(maxFrameBytes);
        if (length - from < size) {
            hold(size);
            return null;
        }
        Frame frame = new Frame(bytes, from, size);
        from += size;
        if (!frame.isHeader()) {
            check(frame);
        }
        return frame;
    }

    private int size(int maxFrameBytes) throws AmqpException {
        int size = (bytes[from] & 0xFF) << 24
                | (bytes[from + 1] & 0xFF) << 16
                | (bytes[from + 2] & 0xFF) << 8
                | bytes[from + 3] & 0xFF;
        if (size < Frame.PREAMBLE_BYTES || size > maxFrameBytes) {
            throw new AmqpException(
                    ConnectionError.FRAMING_ERROR,
                    "a frame is 8 to " + maxFrameBytes + " bytes here, not " + Integer.toUnsignedString(size));
        }
        return size;
    }

    private void check(Frame frame) throws AmqpException {
        int body = frame.bodyFrom();
        if (body < frame.from() + Frame.PREAMBLE_BYTES || body > frame.to()) {
            throw new AmqpException(ConnectionError.FRAMING_ERROR, "the data offset of a frame lies outside of it");
        }
        if (!frame.isAmqp() && !frame.isSasl()) {
            throw new AmqpException(ConnectionError.FRAMING_ERROR, "a frame is of type AMQP or SASL");
        }
        if (body < frame.to()) {
            if (frame.bytes()[body] != 0) {
                throw new AmqpException(AmqpError.DECODE_ERROR, "a frame does not begin with a performative");
            }
            int unused = TypeScan.performativeEnd(frame.bytes(), body, frame.to(), symbols);
        }
    }

    /** What is left of the frame fits behind what there is of it. */
    private void hold(int size) {
        if (from > 0 || bytes.length < size) {
            byte[] held = new byte[size];
            System.arraycopy(bytes, from, held, 0, length - from);
            take(held);
        }
    }

    private void makeRoom(int count) {
        if (from == length) {
            from = 0;
            length = 0;
            bytes = new byte[count];
        } else if (bytes.length - length < count) {
            take(Arrays.copyOfRange(bytes, from, length + count));
        }
    }

    private void take(byte[] copy) {
        length -= from;
        from = 0;
        bytes = copy;
    }
}
