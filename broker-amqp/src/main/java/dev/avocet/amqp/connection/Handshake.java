package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.frame.Frame;
import dev.avocet.amqp.peer.ConnectionState;
import dev.avocet.amqp.peer.SaslNegotiation;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.LoginEnd;
import java.time.Instant;
import java.util.Objects;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * How a client comes in: protocol headers, the SASL dialogue, its open, and how long its login is good for. Owned by
 * the connection's loop.
 */
final class Handshake implements SaslNegotiation.Outcome {
    private final AmqpConnection connection;
    private final OpenConnection.Parts parts;
    private final ProtocolEngine engine;
    private final LoginEnd loginEnd;
    private @Nullable OpenProcess opening;

    Handshake(AmqpConnection connection, OpenConnection.Parts parts, ProtocolEngine engine) {
        this.connection = connection;
        this.parts = parts;
        this.engine = engine;
        this.loginEnd = new LoginEnd(parts.loop(), this::onLoginOver);
    }

    /** A protocol header of the client. */
    void onHeader(Frame header) throws AmqpException {
        ConnectionState state = connection.state();
        boolean first = state == ConnectionState.EXPECTING_HEADER;
        if (!header.isVersion1() || (header.protocolId() != 0 && header.protocolId() != 3)) {
            parts.output().write(Frame.header(3)); // what is spoken here [AMQP 1.0 part 2, 2.2]
            parts.notes().closed("protocol header", "not AMQP 1.0, plain or with SASL");
            connection.closeBehindOutput();
        } else if (first && header.protocolId() == 3) {
            connection.become(ConnectionState.AUTHENTICATING);
            SaslNegotiation login = new SaslNegotiation(
                    parts.context().authenticator(), parts.client().origin(), parts.loop(), parts.output(), this);
            parts.client().login(login);
            login.begin();
        } else if ((first || state == ConnectionState.EXPECTING_AMQP) && header.protocolId() == 0) {
            connection.become(ConnectionState.EXPECTING_OPEN);
            opening = new OpenProcess(connection);
            Connection protocol = engine.start(header);
            protocol.openHandler(unused -> connection.guarded(this::onOpen));
            protocol.closeHandler(unused -> connection.onClose());
        } else {
            throw new AmqpException(ConnectionError.FRAMING_ERROR, "a protocol header at the wrong time");
        }
    }

    private void onOpen() {
        connection.become(ConnectionState.OPENING);
        Objects.requireNonNull(opening).begin();
    }

    @Override
    public boolean isWanted() {
        return !connection.isClosed();
    }

    @Override
    public void onWait() {
        connection.pause();
    }

    @Override
    public void onAnswer() {
        connection.resume();
    }

    @Override
    public void onSuccess(ClientIdentity proved, @Nullable Instant until) {
        identity(proved, until);
        connection.become(ConnectionState.EXPECTING_AMQP);
    }

    @Override
    public void onFailure(String why) {
        parts.loop().counters().increment(Counter.AUTHENTICATION_FAILURES);
        parts.notes().loginRefused(why);
        connection.closeBehindOutput();
    }

    /** @param until when the login is over, or null for never */
    void identity(ClientIdentity proved, @Nullable Instant until) {
        parts.client().identity(proved);
        loginEnd.at(until);
    }

    /** A client that is told so as if the broker closed for a reason of its own connects and logs in again. */
    private void onLoginOver() {
        parts.notes().loginOver();
        engine.close(
                new ErrorCondition(ConnectionError.CONNECTION_FORCED, "the time of the login is over; log in again"));
        connection.closeBehindOutput();
    }

    /** The connection is over. */
    void stop() {
        loginEnd.stop();
    }

    /** And its links are. */
    void release() {
        if (opening != null) {
            opening.release();
        }
    }
}
