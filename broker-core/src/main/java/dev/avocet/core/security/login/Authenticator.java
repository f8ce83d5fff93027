package dev.avocet.core.security.login;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.provider.CertificateAuthenticator;
import dev.avocet.core.security.provider.ChainAuthenticator;
import dev.avocet.core.security.provider.LoginChain;
import dev.avocet.core.security.throttle.ThrottledAuthenticator;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says who clients are. Called on event loops and never blocks them: what takes time happens elsewhere and is answered
 * later. Authenticators wrap one another: {@link CertificateAuthenticator} → {@link ThrottledAuthenticator} →
 * {@link ChainAuthenticator}, which asks the {@link LoginProvider}s of a {@link LoginChain}.
 */
public interface Authenticator {
    /**
     * Checks what a client said when it connected.
     *
     * @param loop the connection's, on which this is called
     * @param answer told once, on the loop; at once or later
     */
    void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer);

    /**
     * Says who a user is whose name is proved already: which groups the user is in.
     *
     * @param answer as for {@link #authenticate}
     */
    default void identify(String provedName, LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        answer.accept(new LoginResult.Granted(
                new ClientIdentity(provedName, Set.of(), request.origin().commonName())));
    }

    /** Whether some users can log in only by a password that the broker is told, so not by SCRAM. */
    default boolean needsPassword() {
        return false;
    }

    /** Whether clients may send their passwords here. */
    default boolean takesPasswords() {
        return true;
    }

    /** Begins an exchange by a named method, or null when the method is unknown here. */
    @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop);
}
