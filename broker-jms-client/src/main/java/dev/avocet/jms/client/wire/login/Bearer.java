package dev.avocet.jms.client.wire.login;

import java.nio.charset.StandardCharsets;
import javax.security.sasl.SaslException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.sasl.client.Mechanism;
import org.apache.qpid.protonj2.engine.sasl.client.SaslCredentialsProvider;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/** SASL OAUTHBEARER [RFC 7628]: the client shows a token. */
public final class Bearer implements Mechanism {
    static final String NAME = "OAUTHBEARER";
    private static final char SEPARATOR = 1;

    private final @Nullable String token;

    /** @param token null when the client has none */
    Bearer(final @Nullable String token) {
        this.token = token;
    }

    @Override
    public Symbol getName() {
        return Symbol.valueOf(NAME);
    }

    @Override
    public boolean isApplicable(final SaslCredentialsProvider credentials) {
        return token != null && !token.isEmpty();
    }

    @Override
    public boolean isEnabledByDefault() {
        return true;
    }

    @Override
    public ProtonBuffer getInitialResponse(final SaslCredentialsProvider credentials) {
        return bytes("n,," + SEPARATOR + "auth=Bearer " + token + SEPARATOR + SEPARATOR);
    }

    /** The server says why it refuses the token; it wants one byte before its outcome. */
    @Override
    public ProtonBuffer getChallengeResponse(final SaslCredentialsProvider credentials, final ProtonBuffer challenge) {
        return bytes(String.valueOf(SEPARATOR));
    }

    @Override
    public void verifyCompletion() throws SaslException {
        // the server proves nothing
    }

    private static ProtonBuffer bytes(final String text) {
        return ProtonByteArrayBufferAllocator.wrapped(text.getBytes(StandardCharsets.UTF_8));
    }
}
