package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.codec.FrameInput;
import dev.avocet.amqp.frame.Frame;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.amqp.peer.ConnectionState;
import dev.avocet.amqp.peer.FrameTrace;
import dev.avocet.amqp.peer.InputGate;
import dev.avocet.amqp.peer.SaslNegotiation;
import io.netty.buffer.ByteBuf;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;

/**
 * Takes the frames out of what a client sends, as long as the {@link InputGate} lets them through, and brings each to
 * who understands it: the flows of the sessions, ProtonJ2's engine, or the dialogue before the connection is open.
 * Owned by the connection's loop.
 */
final class FrameIntake {
    private final AmqpConnection connection;
    private final OpenConnection.Parts parts;
    private final ProtocolEngine engine;
    private final Handshake handshake;
    private final InputGate gate;
    private final FrameInput input;
    private final OpenRun run;
    private boolean decoding;

    FrameIntake(
            AmqpConnection connection,
            OpenConnection.Parts parts,
            ProtocolEngine engine,
            Handshake handshake,
            InputGate gate) {
        this.connection = connection;
        this.parts = parts;
        this.engine = engine;
        this.handshake = handshake;
        this.gate = gate;
        this.input = new FrameInput(parts.context().symbols(), parts.resources().readArray());
        this.run = parts.resources().run();
    }

    /** Takes what has come; the buffer is released. */
    void read(ByteBuf bytes) {
        input.add(bytes);
        if (gate.isPaused()) {
            input.keep();
        } else {
            decode();
        }
        if (!connection.isClosed()) {
            gate.limitAnswers();
        }
    }

    /** Nothing is in the way any more: looks soon at what has come meanwhile. */
    void goOn() {
        if (!decoding) {
            parts.loop().execute(this::decodeHeld);
        }
    }

    /** Forgets what has come. */
    void clear() {
        input.clear();
    }

    private void decodeHeld() {
        if (!connection.isClosed() && !gate.isPaused()) {
            decode();
        }
    }

    private void decode() {
        decoding = true;
        try {
            while (!gate.isPaused() && !connection.isClosed()) {
                Frame frame = input.next(maxFrameBytes());
                if (frame == null) {
                    break;
                }
                traced(frame);
            }
        } catch (AmqpException e) {
            run.end();
            connection.fail(e.condition());
        } finally {
            decoding = false;
            input.keep();
            run.end(); // which has copies of what it needs
        }
        if (connection.isClosed()) {
            input.clear();
        } else {
            gate.readOn(); // it may have been paused and resumed meanwhile
        }
    }

    private int maxFrameBytes() {
        return switch (connection.state()) {
            case OPENING, OPEN -> parts.context().options().maxFrameBytes();
            default -> AmqpOptions.MAX_SASL_FRAME_BYTES;
        };
    }

    /** Handles a frame, and traces it; the frame that says who the client is, when that is known. */
    private void traced(Frame frame) throws AmqpException {
        FrameTrace trace = parts.output().trace();
        if (trace != null) {
            input.check(frame);
            trace.received(frame);
        }
        handle(frame);
        FrameTrace begun = parts.output().trace();
        if (trace == null && begun != null) {
            begun.received(frame);
        }
    }

    private void handle(Frame frame) throws AmqpException {
        if (frame.isHeader()) {
            handshake.onHeader(frame);
            return;
        }
        if (frame.performative() != Frame.TRANSFER) {
            run.end();
        }
        if (connection.state() != ConnectionState.OPEN
                || !frame.isAmqp()
                || !parts.flows().take(frame)) {
            input.check(frame);
            handleRare(frame);
        }
    }

    private void handleRare(Frame frame) throws AmqpException {
        SaslNegotiation login = parts.client().login();
        if (login != null && frame.isSasl()) {
            login.onFrame(frame);
        } else if (engine.isStarted() && frame.isAmqp()) {
            requireOpen(frame);
            engine.ingest(frame);
            ErrorCondition own = connection.isClosed() ? null : engine.ownClose();
            if (own != null) {
                connection.fail(own); // what comes behind it is not looked at
            }
        } else {
            throw new AmqpException(
                    ConnectionError.FRAMING_ERROR, "this is not a frame for here: " + connection.state());
        }
    }

    /** ProtonJ2 takes what comes before open, and the client is not known yet. */
    private void requireOpen(Frame frame) throws AmqpException {
        int code = frame.performative();
        if (connection.state() == ConnectionState.EXPECTING_OPEN
                && code != 0
                && code != Frame.OPEN
                && code != Frame.CLOSE) {
            throw new AmqpException(AmqpError.ILLEGAL_STATE, "a connection begins with open");
        }
    }
}
