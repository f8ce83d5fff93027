package dev.avocet.jms.client.wire;

import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.EnginePipeline;
import org.apache.qpid.protonj2.engine.IncomingAMQPEnvelope;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.Open;

/**
 * Reads how many sessions and links the server allows, which ProtonJ2 1.1.0 neither heeds nor tells. Stands in the
 * engine's pipeline.
 */
final class PeerLimits implements EngineHandler {
    private long sessionsMax = Long.MAX_VALUE;
    private long linksMax = Long.MAX_VALUE;

    /** Sessions of the connection [AMQP 1.0 part 2, 2.7.1, channel-max]. */
    long sessionsMax() {
        return sessionsMax;
    }

    /** Links of the session whose begin is handled just now [AMQP 1.0 part 2, 2.7.2, handle-max]. */
    long linksMax() {
        return linksMax;
    }

    /** Takes its place: behind the decoder, before the handler that keeps the state. */
    void join(final EnginePipeline pipeline) {
        final EngineHandler state = pipeline.first();
        pipeline.removeFirst().addFirst("limits of the peer", this).addFirst("state of the protocol", state);
    }

    @Override
    public void handleRead(final EngineHandlerContext context, final IncomingAMQPEnvelope envelope) {
        if (envelope.getBody() instanceof final Open open && open.hasChannelMax()) {
            sessionsMax = open.getChannelMax() + 1L;
        } else if (envelope.getBody() instanceof final Begin begin) {
            linksMax = begin.hasHandleMax() ? begin.getHandleMax() + 1 : Long.MAX_VALUE;
        }
        context.fireRead(envelope);
    }
}
