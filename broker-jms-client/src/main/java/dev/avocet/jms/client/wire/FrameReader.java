package dev.avocet.jms.client.wire;

import dev.avocet.amqp.frame.DispositionReader;
import dev.avocet.amqp.frame.Frame;
import dev.avocet.amqp.frame.TransferReader;
import dev.avocet.jms.client.codec.AmqpReader;
import dev.avocet.jms.client.codec.SymbolMemory;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.AMQPPerformativeEnvelopePool;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.IncomingAMQPEnvelope;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what comes into frames for ProtonJ2's engine. Transfers of whole messages and plain dispositions are decoded
 * here, so that nothing is made of a message but one array of its bytes; other frames go to ProtonJ2's decoder when
 * they are sound.
 *
 * <p>Stands in the engine's pipeline where bytes come in: {@link #add} them and let the engine ingest {@link #signal}.
 */
final class FrameReader implements EngineHandler {
    private static final byte[] NOTHING = {};
    private static final int KEPT_MAX_BYTES = 128 * 1024;

    private final AMQPPerformativeEnvelopePool<IncomingAMQPEnvelope> envelopes =
            AMQPPerformativeEnvelopePool.incomingEnvelopePool();
    private final ProtonBuffer signal =
            ProtonByteArrayBufferAllocator.wrapped(new byte[1]).convertToReadOnly();
    private final TransferReader transfers = new TransferReader();
    private final DispositionReader dispositions = new DispositionReader();
    private final long frameMaxBytes;
    private final SymbolMemory symbols;
    private byte[] bytes = NOTHING;
    private int from;
    private int to;
    private byte @Nullable [] message;

    /**
     * @param frameMaxBytes a larger frame is left to the engine, which refuses it
     * @param symbols what ProtonJ2 has been given to remember
     */
    FrameReader(final long frameMaxBytes, final SymbolMemory symbols) {
        this.frameMaxBytes = frameMaxBytes;
        this.symbols = symbols;
    }

    /** Takes what has come. */
    void add(final ByteBuf input) {
        final int more = input.readableBytes();
        if (from == to) {
            from = 0;
            to = 0;
            bytes = bytes.length > KEPT_MAX_BYTES ? NOTHING : bytes;
        }
        if (bytes.length - to < more) {
            final int held = to - from;
            final byte[] room = bytes.length - held < more ? new byte[Math.max(2 * held, held + more)] : bytes;
            System.arraycopy(bytes, from, room, 0, held);
            bytes = room;
            from = 0;
            to = held;
        }
        input.readBytes(bytes, to, more);
        to += more;
    }

    /** What the engine is to ingest when something has been added. */
    ProtonBuffer signal() {
        return signal;
    }

    /**
     * The message of the delivery that is read just now, or the last part of it, once; null: the delivery holds all of
     * it itself.
     */
    byte @Nullable [] takeMessage() {
        final byte[] taken = message;
        message = null;
        return taken;
    }

    /** The line is over: what is left is not read. */
    void clear() {
        from = 0;
        to = 0;
    }

    @Override
    public void handleRead(final EngineHandlerContext context, final ProtonBuffer ignored) {
        while (to - from >= Frame.PREAMBLE_BYTES) {
            final boolean header = Frame.isHeader(bytes, from);
            final long size = header ? Frame.PREAMBLE_BYTES : Frame.size(bytes, from);
            final boolean refused = size < Frame.PREAMBLE_BYTES || size > frameMaxBytes;
            if (!refused && size > to - from) {
                return;
            }
            final int start = from;
            from += refused ? to - from : (int) size;
            if (refused || header) {
                pass(context, Arrays.copyOfRange(bytes, start, from));
            } else if (!readByHand(context, start, from)) {
                passChecked(context, Arrays.copyOfRange(bytes, start, from));
            }
        }
    }

    /**
     * Ends here: behind the last handler ProtonJ2 1.1.0 hands it on to itself until the stack is full, at each end of a
     * connection.
     */
    @Override
    public void handleEngineStateChanged(final EngineHandlerContext context) {
        // no handler behind has to know
    }

    /** Ends here, as above; the engine tells its error handler by itself. */
    @Override
    public void engineFailed(final EngineHandlerContext context, final EngineFailedException failure) {
        // no handler behind has to know
    }

    /**
     * ProtonJ2 makes an array as large as it is told to, and goes as deep: what it shall decode is walked over before.
     */
    private void passChecked(final EngineHandlerContext context, final byte[] frame) {
        final int body = Frame.bodyFrom(frame, 0);
        // A data offset that cannot be it refuses by itself.
        if (body >= Frame.PREAMBLE_BYTES && body < frame.length) {
            new AmqpReader(frame, body).check(symbols);
        }
        pass(context, frame);
    }

    /** @param frame ProtonJ2 keeps parts of it, so it is a copy */
    private void pass(final EngineHandlerContext context, final byte[] frame) {
        context.fireRead(ProtonByteArrayBufferAllocator.wrapped(frame).convertToReadOnly());
    }

    private boolean readByHand(final EngineHandlerContext context, final int start, final int end) {
        return switch (Frame.performative(bytes, start, end)) {
            case Frame.TRANSFER -> transfer(context, start, end);
            case Frame.DISPOSITION -> disposition(context, start, end);
            default -> false;
        };
    }

    private boolean transfer(final EngineHandlerContext context, final int start, final int end) {
        final Transfer transfer = transfers.read(bytes, start, end);
        if (transfer == null) {
            return false;
        }
        message = Arrays.copyOfRange(bytes, transfers.payloadFrom(), end);
        context.fireRead(envelopes.take(transfer, Frame.channel(bytes, start), null));
        message = null;
        return true;
    }

    private boolean disposition(final EngineHandlerContext context, final int start, final int end) {
        final Disposition disposition = dispositions.read(bytes, start, end);
        if (disposition == null) {
            return false;
        }
        context.fireRead(envelopes.take(disposition, Frame.channel(bytes, start), null));
        return true;
    }
}
