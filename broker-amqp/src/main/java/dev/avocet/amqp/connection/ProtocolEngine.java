package dev.avocet.amqp.connection;

import dev.avocet.amqp.frame.Frame;
import dev.avocet.amqp.peer.OutputBuffer;
import dev.avocet.amqp.peer.PipelineEnd;
import dev.avocet.amqp.transfer.SessionFlows;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;
import org.apache.qpid.protonj2.engine.exceptions.EngineStateException;
import org.apache.qpid.protonj2.engine.exceptions.FrameDecodingException;
import org.apache.qpid.protonj2.engine.exceptions.ProtocolViolationException;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.Close;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.Open;
import org.apache.qpid.protonj2.types.transport.Performative;
import org.jspecify.annotations.Nullable;

/**
 * ProtonJ2's engine for one connection, which keeps what sessions and links there are, but not what flows in them
 * ({@link SessionFlows}): fed with whole frames, and closed with the right condition whatever happens. SASL is over
 * before it begins.
 *
 * <p>Owned by the connection's loop.
 */
final class ProtocolEngine {
    /** Behind the header of a frame, the mark of a described type and the form of its number. */
    private static final int PERFORMATIVE_AT = 10;

    private static final byte[] FRAME_HEADER = {0, 0, 0, 0, 2, 0, 0, 0};
    private static final Symbol ESTABLISHMENT_FAILED = Symbol.valueOf("amqp:connection-establishment-failed");

    private final Engine engine = EngineFactory.PROTON.createNonSaslEngine();
    private final OutputBuffer output;
    private boolean started;
    private boolean openSent;
    private boolean closeSent;

    ProtocolEngine(SessionFlows flows, OutputBuffer output, int maxFrameBytes, Consumer<Throwable> onFailed) {
        flows.join(engine.pipeline());
        engine.pipeline()
                .addFirst("conditions of the engine", new ConditionOfFailure()); // failures travel away from here
        engine.pipeline().addLast("conditions of the decoder", new ConditionOfFailure());
        engine.pipeline().addLast("end", new PipelineEnd());
        this.output = output;
        engine.outputHandler((frame, written) -> {
            noteSent(frame);
            output.write(frame);
            if (written != null) {
                written.run();
            }
        });
        engine.errorHandler(failed -> {
            flows.flush();
            sayGoodBye(failed.failureCause());
            onFailed.accept(failed.failureCause());
        });
        engine.connection().setMaxFrameSize(maxFrameBytes);
    }

    boolean isStarted() {
        return started;
    }

    Connection connection() {
        return engine.connection();
    }

    /** The protocol header has come. */
    Connection start(Frame header) {
        started = true;
        engine.start();
        ingest(header);
        return engine.connection();
    }

    void ingest(Frame frame) {
        try {
            engine.ingest(frame.buffer());
        } catch (EngineStateException e) {
            if (!engine.isFailed()) {
                throw e; // else its error handler has heard
            }
        }
    }

    /** The peer did what it must not, which is none of ProtonJ2's business. */
    void violated(String how) {
        if (!engine.isFailed()) {
            engine.engineFailed(new ProtocolViolationException(how));
        }
    }

    /**
     * Why ProtonJ2 has closed the connection by itself, as it does with a handle above the maximum; null when it has
     * not.
     */
    @Nullable ErrorCondition ownClose() {
        return engine.connection().isLocallyClosed() ? engine.connection().getCondition() : null;
    }

    /**
     * Says good-bye, if the dialogue has come so far. An open that has not been answered is, as a connection that
     * failed.
     */
    void close(@Nullable ErrorCondition condition) {
        if (!started || engine.isFailed() || engine.isShutdown()) {
            return;
        }
        Connection connection = engine.connection();
        if (!connection.isLocallyOpen() && !connection.isLocallyClosed()) {
            if (connection.getContainerId() == null) {
                connection.setContainerId(OpenProcess.CONTAINER_ID);
            }
            connection.setProperties(Map.of(ESTABLISHMENT_FAILED, true));
            connection.open();
        }
        if (condition != null) {
            connection.setCondition(condition);
        }
        connection.close();
    }

    private void noteSent(ProtonBuffer frame) {
        if (frame.getReadableBytes() > PERFORMATIVE_AT) {
            int code = frame.getByte(frame.getReadOffset() + PERFORMATIVE_AT);
            openSent |= code == Frame.OPEN;
            closeSent |= code == Frame.CLOSE;
        }
    }

    /**
     * An engine that fails says good-bye only behind its own open, and not of everything: the peer is told in any case.
     */
    private void sayGoodBye(@Nullable Throwable cause) {
        if (closeSent) {
            return;
        }
        if (!openSent) {
            send(new Open().setContainerId(OpenProcess.CONTAINER_ID).setProperties(Map.of(ESTABLISHMENT_FAILED, true)));
        }
        ErrorCondition known = engine.connection().getCondition();
        ErrorCondition condition = known == null
                ? new ErrorCondition(
                        ConditionOfFailure.conditionOf(cause), cause == null ? "" : String.valueOf(cause.getMessage()))
                : known;
        send(new Close().setError(condition));
    }

    private void send(Performative performative) {
        Encoder encoder = CodecFactory.getEncoder();
        ProtonBuffer frame = ProtonBufferAllocator.defaultAllocator().allocate(128);
        frame.writeBytes(FRAME_HEADER);
        encoder.writeObject(frame, encoder.newEncoderState(), performative);
        output.write(frame.setInt(0, frame.getReadableBytes()));
    }

    /** The engine says "internal error" of what is not even a performative; the peer is told better. */
    private static final class ConditionOfFailure implements EngineHandler {
        @Override
        public void engineFailed(EngineHandlerContext context, EngineFailedException failure) {
            Throwable cause = failure.getCause();
            Connection connection = context.engine().connection();
            boolean isToldWhy =
                    cause instanceof ProtocolViolationException violation && violation.getErrorCondition() != null;
            if (connection.getCondition() == null && !isToldWhy) {
                connection.setCondition(new ErrorCondition(conditionOf(cause), String.valueOf(failure.getMessage())));
            }
            context.fireFailed(failure);
        }

        private static Symbol conditionOf(@Nullable Throwable cause) {
            if (cause instanceof FrameDecodingException) {
                return AmqpError.DECODE_ERROR;
            }
            if (cause instanceof ProtocolViolationException) {
                return AmqpError.ILLEGAL_STATE;
            }
            return cause instanceof IllegalArgumentException || cause instanceof ClassCastException
                    ? AmqpError.INVALID_FIELD
                    : ConnectionError.FRAMING_ERROR;
        }
    }
}
