package dev.avocet.core.security.provider;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks one authenticator about clients that bring a token, without a user name, as the token alone says who the client
 * is; and another one about all others.
 */
public final class TokenAuthenticator implements Authenticator {
    private final Function<LoginRequest, byte @Nullable []> tokenOf;
    private final Authenticator tokens;
    private final Authenticator others;

    /** @param tokenOf the token of a login, or null; asked at each login, on its loop, so it answers at once */
    public TokenAuthenticator(
            Function<LoginRequest, byte @Nullable []> tokenOf, Authenticator tokens, Authenticator others) {
        this.tokenOf = tokenOf;
        this.tokens = tokens;
        this.others = others;
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        byte[] token = tokenOf.apply(request);
        if (token == null) {
            others.authenticate(request, loop, answer);
        } else {
            tokens.authenticate(request.withToken(token), loop, answer);
        }
    }

    @Override
    public void identify(String provedName, LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        others.identify(provedName, request, loop, answer);
    }

    @Override
    public boolean needsPassword() {
        return others.needsPassword();
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        return others.begin(method, request, loop);
    }
}
