package dev.avocet.core.security;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says whether clients are who they claim to be. Called on event loops and never blocks them: what takes time happens elsewhere and
 * is answered later.
 */
public interface Authenticator {
    /**
     * Checks a user name and password, either of which may be absent.
     *
     * @param answerOn where the answer is to be given; the connection's loop
     * @param answer told once
     */
    void authenticate(
            @Nullable String userName, byte @Nullable [] password, Executor answerOn, Consumer<LoginResult> answer);

    /** Begins an exchange by a named method, or null when the method is unknown here. */
    @Nullable AuthenticationExchange begin(String method);
}
