package dev.avocet.amqp.peer;

import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;

/**
 * Last handler of an engine's pipeline, where news of its state ends. Behind it ProtonJ2 1.1.0 hands them on to itself
 * until the stack is full, which takes the loop tens of milliseconds for each connection that fails.
 */
public final class PipelineEnd implements EngineHandler {
    @Override
    public void handleEngineStateChanged(EngineHandlerContext context) {
        // no handler behind has to know
    }

    @Override
    public void engineFailed(EngineHandlerContext context, EngineFailedException failure) {
        // the engine tells its error handler by itself
    }
}
