package dev.avocet.core.security;

import dev.avocet.core.loop.IoLoop;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes the password of some clients for a token, and asks another authenticator about it without the user name: the
 * token alone says who the client is.
 */
public final class TokenAuthenticator implements Authenticator {
    private final Predicate<LoginRequest> isToken;
    private final Authenticator inner;

    /** @param isToken asked at each login, on its loop, so it answers at once */
    public TokenAuthenticator(Predicate<LoginRequest> isToken, Authenticator inner) {
        this.isToken = isToken;
        this.inner = inner;
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        inner.authenticate(isToken.test(request) ? request.as(null) : request, loop, answer);
    }

    @Override
    public void identify(String provedName, LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        inner.identify(provedName, request, loop, answer);
    }

    @Override
    public boolean needsPassword() {
        return inner.needsPassword();
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        return inner.begin(method, request, loop);
    }
}
