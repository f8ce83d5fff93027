package dev.avocet.core.security.admission;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lets in who gives neither name nor password; everybody else has to satisfy another authenticator. */
public final class AnonymousAdmission implements Authenticator {
    private final Authenticator others;

    public AnonymousAdmission(Authenticator others) {
        this.others = others;
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        if (request.userName() == null && request.password() == null) {
            answer.accept(new LoginResult.Granted(
                    ClientIdentity.unnamed(request.origin().commonName())));
        } else {
            others.authenticate(request, loop, answer);
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
