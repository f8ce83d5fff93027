package dev.avocet.core.security;

import dev.avocet.core.loop.IoLoop;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says who clients are. Called on event loops and never blocks them: what takes time happens elsewhere and is answered
 * later. Authenticators wrap one another: {@link CertificateAuthenticator} → {@link ThrottledAuthenticator} →
 * {@link UserAuthenticator}, and whatever asks somebody else takes the place of the last one.
 */
public interface Authenticator {
    /**
     * Checks what a client said when it connected.
     *
     * @param loop the connection's, on which this is called
     * @param answer told once, on the loop; at once or later
     */
    void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer);

    /** Begins an exchange by a named method, or null when the method is unknown here. */
    @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop);
}
