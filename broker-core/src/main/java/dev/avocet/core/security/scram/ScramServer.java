package dev.avocet.core.security.scram;

import dev.avocet.core.security.scram.ScramReply.Reason;
import dev.avocet.core.security.scram.ScramReply.Rejected;
import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.core.security.user.ScramHash;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The server side of one SCRAM-SHA-256 exchange without channel binding: client-first, server-first, client-final,
 * server-final (RFC 5802 section 3).
 *
 * <p>EXPECTS_FIRST → EXPECTS_FINAL → DONE; any refusal goes straight to DONE. Belongs to one connection and is not
 * thread-safe. No step does the expensive hash, so each may run on an event loop.
 */
public final class ScramServer {
    /** The mechanism's name, as MQTT 5 carries it in the authentication method (section 4.12). */
    public static final String MECHANISM = "SCRAM-SHA-256";

    /** Longest message that is looked at, in bytes. */
    public static final int MAX_MESSAGE_BYTES = 4096;

    private enum State {
        EXPECTS_FIRST,
        EXPECTS_FINAL,
        DONE
    }

    private final ScramAuthenticator authenticator;
    private final String serverNonce;
    private State state = State.EXPECTS_FIRST;
    private @Nullable ClientFirst first;
    private String serverFirst = "";

    ScramServer(ScramAuthenticator authenticator, String serverNonce) {
        this.authenticator = authenticator;
        this.serverNonce = serverNonce;
    }

    /** Takes the client's next message, which stays with the caller, and says what to answer. */
    public ScramReply onMessage(byte[] message) {
        State before = state;
        state = State.DONE;
        try {
            return switch (before) {
                case EXPECTS_FIRST -> onClientFirst(ClientFirst.parse(message));
                case EXPECTS_FINAL -> onClientFinal(ClientFinal.parse(message));
                case DONE -> new Rejected(Reason.MALFORMED);
            };
        } catch (ScramFormatException e) {
            return new Rejected(e.reason());
        }
    }

    /** Whom the client claims to be, or null before it has said so. */
    public @Nullable String userName() {
        ClientFirst begun = first;
        return begun == null ? null : begun.userName();
    }

    private ScramReply onClientFirst(ClientFirst clientFirst) {
        ScramCredential credential = authenticator.credentialOf(clientFirst.userName());
        serverFirst = "r=" + clientFirst.nonce() + serverNonce
                + ",s=" + Base64.getEncoder().encodeToString(credential.salt())
                + ",i=" + credential.iterations();
        first = clientFirst;
        state = State.EXPECTS_FINAL;
        return new ScramReply.Challenge(serverFirst);
    }

    private ScramReply onClientFinal(ClientFinal clientFinal) {
        ClientFirst begun = first;
        if (begun == null || !clientFinal.repeats(begun.gs2Header(), begun.nonce() + serverNonce)) {
            return new Rejected(Reason.MALFORMED);
        }
        ScramCredential credential = authenticator.credentialOf(begun.userName());
        String authMessage = begun.bare() + "," + serverFirst + "," + clientFinal.withoutProof();
        byte[] clientSignature = ScramHash.hmac(credential.storedKey(), authMessage);
        byte[] clientKey = ScramHash.xor(clientFinal.proof(), clientSignature);
        boolean proven = MessageDigest.isEqual(ScramHash.sha256(clientKey), credential.storedKey());
        if (!proven || !authenticator.isKnown(begun.userName())) {
            return new Rejected(Reason.NOT_AUTHORIZED);
        }
        byte[] signature = ScramHash.hmac(credential.serverKey(), authMessage);
        return new ScramReply.Accepted(
                begun.userName(), "v=" + Base64.getEncoder().encodeToString(signature));
    }
}
