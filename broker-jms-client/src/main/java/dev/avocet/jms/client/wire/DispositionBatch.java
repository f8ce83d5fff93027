package dev.avocet.jms.client.wire;

import dev.avocet.amqp.frame.FrameWriter;
import io.netty.buffer.ByteBuf;
import java.util.function.IntFunction;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.AMQPPerformativeEnvelopePool;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.HeaderEnvelope;
import org.apache.qpid.protonj2.engine.OutgoingAMQPEnvelope;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Makes one disposition of those that follow each other and say the same; it goes out before anything else does.
 * Dispositions and transfers go past ProtonJ2's encoder where {@link FrameWriter} can write them.
 */
final class DispositionBatch implements EngineHandler {
    private final AMQPPerformativeEnvelopePool<OutgoingAMQPEnvelope> envelopes =
            AMQPPerformativeEnvelopePool.outgoingEnvelopePool();

    private final FrameWriter frames = new FrameWriter();
    private final Disposition range = new Disposition();
    private final IntFunction<ByteBuf> output;
    private @Nullable EngineHandlerContext context;
    private boolean pending;
    private int channel;
    private long first;
    private long last;
    private boolean settled;
    /** The answer to the transfer that is written next is not urgent. */
    private boolean batchable;

    private Role role = Role.RECEIVER;
    private @Nullable DeliveryState state;

    /** @param output gives a buffer to which so many bytes can be written */
    DispositionBatch(final IntFunction<ByteBuf> output) {
        this.output = output;
    }

    @Override
    public void handlerAdded(final EngineHandlerContext added) {
        context = added;
    }

    @Override
    public void handleWrite(final EngineHandlerContext at, final HeaderEnvelope envelope) {
        at.fireWrite(envelope);
    }

    @Override
    public void handleWrite(final EngineHandlerContext at, final OutgoingAMQPEnvelope envelope) {
        if (envelope.getBody() instanceof final Disposition disposition && !disposition.hasLast()) {
            if (!joins(envelope.getChannel(), disposition)) {
                flush();
                begin(envelope.getChannel(), disposition);
            }
            last = disposition.getFirst();
            envelope.release();
            return;
        }
        flush();
        if (!(envelope.getBody() instanceof final Transfer transfer && write(at, envelope, transfer))) {
            at.fireWrite(envelope);
        }
    }

    private boolean write(final EngineHandlerContext at, final OutgoingAMQPEnvelope envelope, final Transfer transfer) {
        final boolean unhurried = batchable;
        batchable = false; // of this one alone
        final ProtonBuffer payload = envelope.getPayload();
        final int payloadBytes = payload == null ? 0 : payload.getReadableBytes();
        final Connection connection = at.engine().connection();
        final long frameMaxBytes = Math.min(connection.getMaxFrameSize(), connection.getRemoteMaxFrameSize());
        if (at.engine().configuration().isTraceFrames()
                || !frames.transfer(transfer, envelope.getChannel(), payloadBytes, frameMaxBytes, unhurried)) {
            return false;
        }
        final ByteBuf room = output.apply(frames.headBytes() + payloadBytes);
        if (payload == null) {
            frames.write(room);
        } else {
            frames.write(room, payload);
        }
        envelope.handleOutgoingFrameWriteComplete();
        return true;
    }

    private boolean joins(final int onChannel, final Disposition disposition) {
        return pending
                && onChannel == channel
                && disposition.getFirst() == (last + 1 & 0xffff_ffffL)
                && disposition.getSettled() == settled
                && disposition.getRole() == role
                && isSameState(disposition.getState());
    }

    @SuppressWarnings(
            "ReferenceEquality") // Outcomes without fields are constants, and a transaction has one state object.
    private boolean isSameState(final @Nullable DeliveryState other) {
        return state == other;
    }

    private void begin(final int onChannel, final Disposition disposition) {
        pending = true;
        channel = onChannel;
        first = disposition.getFirst();
        settled = disposition.getSettled();
        role = disposition.getRole();
        state = disposition.getState();
    }

    /** Whether the sender of what is written next is in no hurry to hear what becomes of it. */
    void batchable(final boolean unhurried) {
        batchable = unhurried;
    }

    /** Writes what is collected. */
    void flush() {
        if (!pending || context == null) {
            return;
        }
        pending = false;
        range.reset().setRole(role).setFirst(first).setSettled(settled);
        if (last != first) {
            range.setLast(last);
        }
        if (state != null) {
            range.setState(state);
        }
        if (!context.engine().configuration().isTraceFrames() && frames.disposition(range, channel)) {
            frames.write(output.apply(frames.headBytes()));
        } else {
            context.fireWrite(envelopes.take(range, channel, null));
        }
    }
}
