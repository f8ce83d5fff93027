package dev.avocet.amqp.peer;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.codec.Descriptors;
import dev.avocet.amqp.frame.Frame;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.AuthenticationExchange.Step;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.security.provider.BearerExchange;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.security.SaslChallenge;
import org.apache.qpid.protonj2.types.security.SaslCode;
import org.apache.qpid.protonj2.types.security.SaslInit;
import org.apache.qpid.protonj2.types.security.SaslMechanisms;
import org.apache.qpid.protonj2.types.security.SaslOutcome;
import org.apache.qpid.protonj2.types.security.SaslPerformative;
import org.apache.qpid.protonj2.types.security.SaslResponse;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.jspecify.annotations.Nullable;

/**
 * The SASL dialogue before a connection [AMQP 1.0 part 5, 5.3]: offers mechanisms and has the broker's authenticators
 * say who the client is. Each step may take as long as it likes; meanwhile nothing more of the client is looked at.
 *
 * <p>Owned by the connection's loop. One per connection, forgotten with the outcome.
 */
public final class SaslNegotiation {
    /** In place of the client identifier, which comes only when the connection is opened. */
    static final String UNKNOWN_CLIENT = "-";

    private static final Symbol ANONYMOUS = Symbol.valueOf("ANONYMOUS");
    private static final Symbol PLAIN = Symbol.valueOf("PLAIN");
    private static final Symbol SCRAM_SHA_256 = Symbol.valueOf("SCRAM-SHA-256");
    private static final Symbol OAUTHBEARER = Symbol.valueOf(BearerExchange.OAUTHBEARER);
    private static final Symbol XOAUTH2 = Symbol.valueOf(BearerExchange.XOAUTH2);
    private static final Symbol EXTERNAL = Symbol.valueOf("EXTERNAL");
    private static final byte[] FRAME_HEADER = {0, 0, 0, 0, 2, 1, 0, 0};

    private final Authenticator authenticator;
    private final ClientOrigin origin;
    private final IoLoop loop;
    private final Outcome outcome;
    private final OutputBuffer output;
    private final Decoder decoder = CodecFactory.getSaslDecoder();
    private final Encoder encoder = CodecFactory.getSaslEncoder();
    private boolean begun;
    private @Nullable Symbol mechanism;
    private @Nullable String userName;
    private @Nullable AuthenticationExchange exchange;

    public SaslNegotiation(
            Authenticator authenticator, ClientOrigin origin, IoLoop loop, OutputBuffer output, Outcome outcome) {
        this.authenticator = authenticator;
        this.origin = origin;
        this.loop = loop;
        this.output = output;
        this.outcome = outcome;
    }

    /** The client has sent the protocol header of SASL. */
    public void begin() {
        output.write(Frame.header(3));
        List<Symbol> mechanisms = new ArrayList<>();
        if (origin.provenUser() != null) {
            mechanisms.add(EXTERNAL);
        }
        if (!authenticator.needsPassword()
                && authenticator.begin(SCRAM_SHA_256.toString(), login(null, null), loop) != null) {
            mechanisms.add(SCRAM_SHA_256); // a client prefers it, so it has to do for every user
        }
        for (Symbol ofTokens : List.of(OAUTHBEARER, XOAUTH2)) {
            if (authenticator.begin(ofTokens.toString(), login(null, null), loop) != null) {
                mechanisms.add(ofTokens);
            }
        }
        if (authenticator.takesPasswords()) {
            mechanisms.add(PLAIN);
        }
        mechanisms.add(ANONYMOUS);
        send(new SaslMechanisms().setSaslServerMechanisms(mechanisms.toArray(new Symbol[0])));
    }

    /** Whom the client claims to be, not proved; null when it has not said so. */
    @Nullable String userName() {
        return exchange == null ? userName : exchange.userName();
    }

    /** Whether the client has chosen a mechanism. */
    boolean hasBegun() {
        return begun;
    }

    /** How the client logs in, for the log. */
    String mechanism() {
        return mechanism == null ? "no SASL mechanism chosen" : "SASL mechanism " + mechanism;
    }

    /** A frame of the client. */
    public void onFrame(Frame frame) throws AmqpException {
        if (frame.bodyFrom() < frame.to() && !Descriptors.isKnownMechanism(frame)) {
            refuse(SaslCode.AUTH, "unknown SASL mechanism");
            return;
        }
        SaslPerformative performative = decode(frame);
        if (performative instanceof SaslInit init && !begun) {
            begun = true;
            onInit(init);
        } else if (performative instanceof SaslResponse response && exchange != null) {
            step(exchange, bytesOf(response.getResponse()));
        } else {
            throw new AmqpException(
                    AmqpError.ILLEGAL_STATE, "this is not the turn of " + performative.getPerformativeType());
        }
    }

    private SaslPerformative decode(Frame frame) throws AmqpException {
        try {
            if (frame.bodyFrom() < frame.to()
                    && decoder.readObject(frame.body(), decoder.newDecoderState()) instanceof SaslPerformative known) {
                return known;
            }
        } catch (ClassCastException | IllegalArgumentException e) {
            throw new AmqpException(AmqpError.DECODE_ERROR, "a SASL frame cannot be read: " + e.getMessage());
        }
        throw new AmqpException(AmqpError.DECODE_ERROR, "a SASL frame holds no SASL performative");
    }

    private void onInit(SaslInit init) {
        mechanism = init.getMechanism();
        byte[] response = bytesOf(init.getInitialResponse());
        if (PLAIN.equals(mechanism) && authenticator.takesPasswords()) {
            plain(response);
        } else if (ANONYMOUS.equals(mechanism)) {
            authenticate(login(null, null));
        } else if (EXTERNAL.equals(mechanism) && origin.provenUser() != null) {
            authenticate(login(null, null));
        } else {
            AuthenticationExchange made =
                    mechanism == null ? null : authenticator.begin(mechanism.toString(), login(null, null), loop);
            exchange = made;
            if (made == null) {
                refuse(SaslCode.AUTH, "unknown SASL mechanism");
            } else {
                step(made, response);
            }
        }
    }

    /** {@code authorization NUL name NUL password} [RFC 4616]. A user cannot act for another one here. */
    private void plain(byte[] response) {
        int first = indexOfNul(response, 0);
        int second = first < 0 ? -1 : indexOfNul(response, first + 1);
        if (second < 0) {
            refuse(SaslCode.AUTH, "PLAIN without user name and password");
            return;
        }
        String authorization = new String(response, 0, first, StandardCharsets.UTF_8);
        String name = new String(response, first + 1, second - first - 1, StandardCharsets.UTF_8);
        userName = name;
        if (!authorization.isEmpty() && !authorization.equals(name)) {
            refuse(SaslCode.AUTH, "a client may not act for another user");
            return;
        }
        authenticate(login(name, Arrays.copyOfRange(response, second + 1, response.length)));
    }

    private static int indexOfNul(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                return i;
            }
        }
        return -1;
    }

    private LoginRequest login(@Nullable String name, byte @Nullable [] password) {
        return new LoginRequest(UNKNOWN_CLIENT, name, password, origin);
    }

    private void authenticate(LoginRequest request) {
        outcome.onWait();
        authenticator.authenticate(request, loop, result -> {
            if (outcome.isWanted()) {
                outcome.onAnswer();
                if (result instanceof LoginResult.Granted granted) {
                    accept(granted.identity(), granted.until(), null);
                } else {
                    LoginResult.Refused refused = (LoginResult.Refused) result;
                    refuse(refused.reason(), refused.text());
                }
            }
        });
    }

    private void step(AuthenticationExchange running, byte[] data) {
        outcome.onWait();
        running.step(data, step -> {
            if (outcome.isWanted()) {
                outcome.onAnswer();
                onStep(step);
            }
        });
    }

    private void onStep(Step step) {
        if (step instanceof Step.Continue next) {
            send(new SaslChallenge().setChallenge(buffer(next.serverData())));
        } else if (step instanceof Step.Success success) {
            accept(success.identity(), success.until(), success.serverData());
        } else {
            LoginRefusal reason = ((Step.Failure) step).reason();
            String advice = authenticator.needsPassword() ? "; users of the directory log in with SASL PLAIN" : "";
            refuse(reason, reason.text() + advice);
        }
    }

    private void accept(ClientIdentity identity, @Nullable Instant until, byte @Nullable [] data) {
        SaslOutcome success = new SaslOutcome().setCode(SaslCode.OK);
        send(data == null ? success : success.setAdditionalData(buffer(data)));
        outcome.onSuccess(identity, until);
    }

    /** @param text for the log */
    private void refuse(LoginRefusal reason, String text) {
        SaslCode code =
                switch (reason) {
                    case BUSY, TOO_MANY_FAILURES, UNAVAILABLE -> SaslCode.SYS_TEMP;
                    case BAD_CREDENTIALS, WRONG_CERTIFICATE -> SaslCode.AUTH;
                };
        refuse(code, text);
    }

    private void refuse(SaslCode code, String why) {
        send(new SaslOutcome().setCode(code));
        outcome.onFailure(why);
    }

    private void send(SaslPerformative performative) {
        ProtonBuffer frame = ProtonBufferAllocator.defaultAllocator().allocate(128);
        frame.writeBytes(FRAME_HEADER);
        encoder.writeObject(frame, encoder.newEncoderState(), performative);
        output.write(frame.setInt(0, frame.getReadableBytes()));
    }

    private static ProtonBuffer buffer(byte[] bytes) {
        return ProtonByteArrayBufferAllocator.wrapped(bytes);
    }

    private static byte[] bytesOf(@Nullable ProtonBuffer buffer) {
        byte[] bytes = new byte[buffer == null ? 0 : buffer.getReadableBytes()];
        if (buffer != null) {
            buffer.copyInto(buffer.getReadOffset(), bytes, 0, bytes.length);
        }
        return bytes;
    }

    /** What came of it. */
    public interface Outcome {
        /** Nothing more of the client should be looked at until {@link #onAnswer}. */
        void onWait();

        void onAnswer();

        /** False when the connection is gone. */
        boolean isWanted();

        /** @param until when the login is over, or null for never */
        void onSuccess(ClientIdentity identity, @Nullable Instant until);

        /** The client has been told no. */
        void onFailure(String why);
    }
}
