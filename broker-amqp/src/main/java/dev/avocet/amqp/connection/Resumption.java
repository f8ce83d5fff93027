package dev.avocet.amqp.connection;

import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.EnginePipeline;
import org.apache.qpid.protonj2.engine.IncomingAMQPEnvelope;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Transfer;

/**
 * What frames say of deliveries that a client had on an earlier link, and ProtonJ2 1.1.0 does not tell [AMQP 1.0 part
 * 2, 2.6.13]. The broker keeps no such deliveries: its attach frames come without a map of them, and what was not
 * settled is delivered anew.
 *
 * <p>Stands in the engine's pipeline; asked while a frame is handled. Owned by the connection's loop.
 */
final class Resumption implements EngineHandler {
    private boolean incomplete;
    private boolean resumed;

    /** Takes its place: behind the decoder, before the handler that keeps the state of the protocol. */
    void join(EnginePipeline pipeline) {
        EngineHandler state = pipeline.first();
        pipeline.removeFirst().addFirst("resumption", this).addFirst("state of the protocol", state);
    }

    /** The client has more unsettled deliveries of the link that is being attached than it could say. */
    boolean isIncomplete() {
        return incomplete;
    }

    /** The transfer that is being handled goes on with a delivery of an earlier link. */
    boolean isResumed() {
        return resumed;
    }

    @Override
    public void handleRead(EngineHandlerContext context, IncomingAMQPEnvelope envelope) {
        if (envelope.getBody() instanceof Transfer transfer) {
            resumed = transfer.getResume();
        } else if (envelope.getBody() instanceof Attach attach) {
            incomplete = attach.getIncompleteUnsettled();
        }
        context.fireRead(envelope);
    }
}
