package dev.avocet.amqp.codec;

import dev.avocet.amqp.frame.Frame;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.jspecify.annotations.Nullable;

/**
 * Finds frames in what a peer sends, and lets through only those that are complete and no larger than allowed. A read
 * is copied into an array that all connections of the loop share, and looked at there; what is not complete, or has to
 * wait, is kept by the connection itself. Never holds more than one read and one frame.
 *
 * <p>Owned by the connection's loop.
 */
public final class FrameInput {
    private static final byte[] NOTHING = {};

    private final SymbolMemory symbols;
    private final ReadArray shared;

    private byte[] bytes = NOTHING;
    /** Whether the array is that of the loop. */
    private boolean borrowed;

    private int from;
    private int length;
    /** How many bytes the frame has that is not complete, as far as that is known. */
    private int neededBytes;

    public FrameInput(SymbolMemory symbols, ReadArray shared) {
        this.symbols = symbols;
        this.shared = shared;
    }

    /** Takes what has come; the buffer is released. To be followed by {@link #keep} in the same task of the loop. */
    public void add(ByteBuf read) {
        try {
            int rest = length - from;
            int count = read.readableBytes();
            if (borrowed || rest + count >= neededBytes) {
                borrow(rest, count);
            } else {
                makeRoom(rest + count);
            }
            read.readBytes(bytes, length, count);
            length += count;
        } finally {
            read.release();
        }
    }

    private void borrow(int rest, int count) {
        byte[] array = shared.array(rest + count);
        System.arraycopy(bytes, from, array, 0, rest);
        bytes = array;
        from = 0;
        length = rest;
        borrowed = true;
    }

    /** What is kept grows by doubling: not every byte that comes copies all that came before. */
    private void makeRoom(int total) {
        if (bytes.length < total) {
            bytes = Arrays.copyOf(bytes, Math.max(total, Math.min(2 * total, neededBytes)));
        }
    }

    /** Takes what is left out of the array that others use next. Frames that were taken are void. */
    public void keep() {
        if (from == length) {
            clear();
        } else if (borrowed || from > 0) {
            bytes = Arrays.copyOfRange(bytes, from, length);
            length -= from;
            from = 0;
            borrowed = false;
        }
    }

    /** True when nothing has come that was not taken. */
    public boolean isEmpty() {
        return from == length;
    }

    /** Forgets everything. */
    public void clear() {
        bytes = NOTHING;
        borrowed = false;
        from = 0;
        length = 0;
        neededBytes = 0;
    }

    /**
     * The next frame or protocol header; null when it has not come completely. What it holds has not been
     * {@linkplain #check checked}.
     *
     * @param maxFrameBytes a larger one is refused by its first four bytes
     */
    public @Nullable Frame next(int maxFrameBytes) throws AmqpException {
        neededBytes = Frame.PREAMBLE_BYTES;
        if (length - from < Frame.PREAMBLE_BYTES) {
            return null;
        }
        int size = Frame.isHeader(bytes, from) ? Frame.PREAMBLE_BYTES : size(maxFrameBytes);
        if (length - from < size) {
            neededBytes = size;
            return null;
        }
        Frame frame = new Frame(bytes, from, size);
        from += size;
        if (!frame.isHeader()) {
            requireForm(frame);
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

    private static void requireForm(Frame frame) throws AmqpException {
        int body = frame.bodyFrom();
        if (body < frame.from() + Frame.PREAMBLE_BYTES || body > frame.to()) {
            throw new AmqpException(ConnectionError.FRAMING_ERROR, "the data offset of a frame lies outside of it");
        }
        if (!frame.isAmqp() && !frame.isSasl()) {
            throw new AmqpException(ConnectionError.FRAMING_ERROR, "a frame is of type AMQP or SASL");
        }
    }

    /** Lets a frame through whose performative is safe to be decoded by ProtonJ2, or a protocol header. */
    public void check(Frame frame) throws AmqpException {
        int body = frame.isHeader() ? frame.to() : frame.bodyFrom();
        if (body < frame.to()) {
            if (frame.bytes()[body] != 0) {
                throw new AmqpException(AmqpError.DECODE_ERROR, "a frame does not begin with a performative");
            }
            int unused = TypeScan.performativeEnd(frame.bytes(), body, frame.to(), symbols);
        }
    }
}
