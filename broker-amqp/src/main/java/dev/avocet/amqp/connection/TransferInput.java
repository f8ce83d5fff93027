package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.Frame;
import dev.avocet.amqp.codec.TransferReader;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.AMQPPerformativeEnvelopePool;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.IncomingAMQPEnvelope;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the transfers that {@link TransferReader} reads past ProtonJ2's decoder.
 *
 * <p>Stands in the engine's pipeline where bytes come in: the engine ingests {@link #offer}. Owned by the connection's
 * loop.
 */
final class TransferInput implements EngineHandler {
    private final AMQPPerformativeEnvelopePool<IncomingAMQPEnvelope> envelopes =
            AMQPPerformativeEnvelopePool.incomingEnvelopePool();
    private final ProtonBuffer signal =
            ProtonByteArrayBufferAllocator.wrapped(new byte[1]).convertToReadOnly();
    private final TransferReader reader = new TransferReader();
    private @Nullable Transfer transfer;
    private @Nullable ProtonBuffer payload;
    private int channel;

    /** What the engine is to ingest for this frame. */
    ProtonBuffer offer(Frame frame) {
        transfer = frame.isHeader() ? null : reader.read(frame);
        if (transfer == null) {
            return frame.buffer();
        }
        int from = reader.payloadFrom();
        channel = frame.channel();
        payload = from == frame.to()
                ? null
                : ProtonByteArrayBufferAllocator.wrapped(frame.bytes(), from, frame.to() - from)
                        .convertToReadOnly();
        return signal;
    }

    @Override
    public void handleRead(EngineHandlerContext context, ProtonBuffer buffer) {
        Transfer read = transfer;
        if (read == null) {
            context.fireRead(buffer);
        } else {
            ProtonBuffer message = payload;
            transfer = null;
            payload = null;
            context.fireRead(envelopes.take(read, channel, message));
        }
    }
}
