package dev.avocet.amqp.connection;

import java.util.Objects;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.AMQPPerformativeEnvelopePool;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.OutgoingAMQPEnvelope;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Makes one disposition of many: those that follow one another in their delivery identifiers and say the same go out as
 * a range, when something else is to be sent or the batch is over. So a thousand publishes are answered by one frame.
 * Dispositions and transfers go past ProtonJ2's encoder where {@link FrameWriter} can write them.
 *
 * <p>Stands in the engine's pipeline where frames come that are to be written. Owned by the connection's loop.
 */
final class DispositionBatch implements EngineHandler {
    private final AMQPPerformativeEnvelopePool<OutgoingAMQPEnvelope> envelopes =
            AMQPPerformativeEnvelopePool.outgoingEnvelopePool();
    private final FrameWriter frames = new FrameWriter();
    private final OutputBuffer output;
    private final Runnable schedule;
    private @Nullable EngineHandlerContext context;
    private @Nullable Disposition pending;
    private int channel;

    /** @param schedule called when there is something to {@link #flush} that was not there before */
    DispositionBatch(OutputBuffer output, Runnable schedule) {
        this.output = output;
        this.schedule = schedule;
    }

    @Override
    public void handlerAdded(EngineHandlerContext added) {
        context = added;
    }

    @Override
    public void handleWrite(EngineHandlerContext from, OutgoingAMQPEnvelope envelope) {
        if (envelope.getBody() instanceof Disposition next && next.getRole() == Role.RECEIVER) {
            if (!extend(next, envelope.getChannel())) {
                flush();
                begin(next, envelope.getChannel());
            }
            envelope.handleOutgoingFrameWriteComplete();
        } else {
            flush();
            if (!(envelope.getBody() instanceof Transfer transfer && write(from, envelope, transfer))) {
                from.fireWrite(envelope);
            }
        }
    }

    private boolean write(EngineHandlerContext from, OutgoingAMQPEnvelope envelope, Transfer transfer) {
        ProtonBuffer payload = envelope.getPayload();
        int payloadBytes = payload == null ? 0 : payload.getReadableBytes();
        Connection connection = from.engine().connection();
        long frameMaxBytes = Math.min(connection.getMaxFrameSize(), connection.getRemoteMaxFrameSize());
        if (from.engine().configuration().isTraceFrames()
                || !frames.begin(transfer, envelope.getChannel(), payloadBytes, frameMaxBytes)) {
            return false;
        }
        output.write(frames, payload);
        envelope.handleOutgoingFrameWriteComplete();
        return true;
    }

    /** Writes what is pending. */
    void flush() {
        Disposition range = pending;
        if (range != null) {
            pending = null;
            EngineHandlerContext to = Objects.requireNonNull(context);
            if (!to.engine().configuration().isTraceFrames() && frames.begin(range, channel)) {
                output.write(frames, null);
            } else {
                to.fireWrite(envelopes.take(range, channel, null));
            }
        }
    }

    private boolean extend(Disposition next, int ofChannel) {
        Disposition range = pending;
        if (range == null
                || channel != ofChannel
                || (int) next.getFirst() != (int) range.getLast() + 1
                || next.getSettled() != range.getSettled()
                || !isSame(next.getState(), range.getState())) {
            return false;
        }
        range.setLast(Integer.toUnsignedLong((int) next.getFirst()));
        return true;
    }

    /** Outcomes without fields are constants, and a transaction answers what follows each other with one object. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(@Nullable DeliveryState state, @Nullable DeliveryState other) {
        return state == other;
    }

    /** The argument is used again by its sender. */
    private void begin(Disposition first, int ofChannel) {
        pending = new Disposition()
                .setRole(Role.RECEIVER)
                .setFirst(first.getFirst())
                .setLast(first.getFirst())
                .setSettled(first.getSettled())
                .setState(first.getState());
        channel = ofChannel;
        schedule.run();
    }
}
