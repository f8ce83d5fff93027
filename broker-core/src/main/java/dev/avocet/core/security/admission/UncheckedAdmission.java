package dev.avocet.core.security.admission;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets every client in without a look at who it is, and takes no passwords: for endpoints that serve none and send them
 * elsewhere.
 */
public final class UncheckedAdmission implements Authenticator {
    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        answer.accept(new LoginResult.Granted(ClientIdentity.ANONYMOUS));
    }

    @Override
    public boolean takesPasswords() {
        return false;
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        return null;
    }
}
