package dev.avocet.jms.client.wire;

import org.apache.qpid.protonj2.engine.AMQPPerformativeEnvelopePool;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.HeaderEnvelope;
import org.apache.qpid.protonj2.engine.OutgoingAMQPEnvelope;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/** Makes one disposition of those that follow each other and say the same; it goes out before anything else does. */
final class DispositionBatch implements EngineHandler {
    private final AMQPPerformativeEnvelopePool<OutgoingAMQPEnvelope> envelopes =
            AMQPPerformativeEnvelopePool.outgoingEnvelopePool();

    private @Nullable EngineHandlerContext context;
    private boolean pending;
    private int channel;
    private long first;
    private long last;
    private boolean settled;
    private Role role = Role.RECEIVER;
    private @Nullable DeliveryState state;

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
        at.fireWrite(envelope);
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

    /** Writes what is collected. */
    void flush() {
        if (!pending || context == null) {
            return;
        }
        pending = false;
        final Disposition disposition = new Disposition();
        disposition.setRole(role);
        disposition.setFirst(first);
        if (last != first) {
            disposition.setLast(last);
        }
        disposition.setSettled(settled);
        disposition.setState(state);
        context.fireWrite(envelopes.take(disposition, channel, null));
    }
}
