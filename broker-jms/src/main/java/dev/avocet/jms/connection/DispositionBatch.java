package dev.avocet.jms.connection;

import java.util.Objects;
import org.apache.qpid.protonj2.engine.AMQPPerformativeEnvelopePool;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.OutgoingAMQPEnvelope;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/**
 * Makes one disposition of many: those that follow one another in their delivery identifiers and say the same go out as a range, when
 * something else is to be sent or the batch is over. So a thousand publishes are answered by one frame.
 *
 * <p>Stands in the engine's pipeline where frames come that are to be written. Owned by the connection's loop.
 */
final class DispositionBatch implements EngineHandler {
    private final AMQPPerformativeEnvelopePool<OutgoingAMQPEnvelope> envelopes =
            AMQPPerformativeEnvelopePool.outgoingEnvelopePool();
    private final Runnable schedule;
    private @Nullable EngineHandlerContext context;
    private @Nullable Disposition pending;
    private int channel;

    /** @param schedule called when there is something to {@link #flush} that was not there before */
    DispositionBatch(Runnable schedule) {
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
            from.fireWrite(envelope);
        }
    }

    /** Writes what is pending. */
    void flush() {
        Disposition range = pending;
        if (range != null) {
            pending = null;
            Objects.requireNonNull(context).fireWrite(envelopes.take(range, channel, null));
        }
    }

    private boolean extend(Disposition next, int ofChannel) {
        Disposition range = pending;
        if (range == null
                || channel != ofChannel
                || (int) next.getFirst() != (int) range.getLast() + 1
                || next.getSettled() != range.getSettled()
                || !Objects.equals(next.getState(), range.getState())) {
            return false;
        }
        range.setLast(Integer.toUnsignedLong((int) next.getFirst()));
        return true;
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
