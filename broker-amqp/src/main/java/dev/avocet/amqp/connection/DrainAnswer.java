package dev.avocet.amqp.connection;

import java.util.Objects;
import org.apache.qpid.protonj2.engine.AMQPPerformativeEnvelopePool;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.EnginePipeline;
import org.apache.qpid.protonj2.engine.IncomingAMQPEnvelope;
import org.apache.qpid.protonj2.engine.OutgoingAMQPEnvelope;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Answers a client that drains a link without credit, as some do to take their credit back and wait for the answer
 * [AMQP 1.0 part 2, 2.6.7]. ProtonJ2 1.1.0 has no call for that: it is asked for a flow frame of the session, which
 * becomes one of the link on its way out.
 *
 * <p>Stands in the engine's pipeline. Owned by the connection's loop.
 */
final class DrainAnswer implements EngineHandler {
    private final AMQPPerformativeEnvelopePool<IncomingAMQPEnvelope> envelopes =
            AMQPPerformativeEnvelopePool.incomingEnvelopePool();
    private @Nullable EngineHandlerContext context;
    private @Nullable Flow asked;
    private int channel;
    private long lastHandle;
    private boolean answering;
    private long handle;
    private long deliveryCount;

    /** Takes its place: before the encoder and behind the decoder. */
    void join(EnginePipeline pipeline) {
        EngineHandler state = pipeline.first();
        pipeline.removeFirst().addFirst("answers to drain", this).addFirst("state of the protocol", state);
    }

    @Override
    public void handlerAdded(EngineHandlerContext added) {
        context = added;
    }

    /** Our handle of the link that was attached just now. */
    long lastHandle() {
        return lastHandle;
    }

    /**
     * The link of the flow frame that is being handled has no credit and nothing on its way.
     *
     * @param ofHandle our handle of it
     * @param count of the deliveries that were sent and the credits that were given back
     */
    void answer(long ofHandle, long count) {
        Flow flow = asked;
        if (flow == null) {
            return;
        }
        answering = true;
        handle = ofHandle;
        deliveryCount = count;
        Flow ofSession = new Flow()
                .setIncomingWindow(flow.getIncomingWindow())
                .setNextOutgoingId(flow.getNextOutgoingId())
                .setOutgoingWindow(flow.getOutgoingWindow())
                .setEcho(true);
        if (flow.hasNextIncomingId()) {
            ofSession.setNextIncomingId(flow.getNextIncomingId());
        }
        Objects.requireNonNull(context).fireRead(envelopes.take(ofSession, channel, null));
        answering = false;
    }

    @Override
    public void handleRead(EngineHandlerContext from, IncomingAMQPEnvelope envelope) {
        if (envelope.getBody() instanceof Flow flow && flow.getDrain()) {
            asked = flow;
            channel = envelope.getChannel();
            from.fireRead(envelope);
            asked = null;
        } else {
            from.fireRead(envelope);
        }
    }

    @Override
    public void handleWrite(EngineHandlerContext from, OutgoingAMQPEnvelope envelope) {
        if (envelope.getBody() instanceof Attach attach) {
            lastHandle = attach.getHandle();
        } else if (answering && envelope.getBody() instanceof Flow flow && !flow.hasHandle()) {
            answering = false;
            flow.setHandle(handle)
                    .setDeliveryCount(deliveryCount)
                    .setLinkCredit(0)
                    .setDrain(true);
        }
        from.fireWrite(envelope);
    }
}
