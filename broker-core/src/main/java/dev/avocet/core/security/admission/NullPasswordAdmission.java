package dev.avocet.core.security.admission;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.security.user.User;
import dev.avocet.core.security.user.UserStore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lets in users who were given no password and show none. Everybody else has to satisfy another authenticator. */
public final class NullPasswordAdmission implements Authenticator {
    private final UserStore users;
    private final Authenticator others;

    public NullPasswordAdmission(UserStore users, Authenticator others) {
        this.users = users;
        this.others = others;
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        byte[] password = request.password();
        User user = request.userName() == null || (password != null && password.length > 0)
                ? null
                : users.userOf(request.userName());
        if (user != null && user.password() == null && user.scram() == null) {
            answer.accept(new LoginResult.Granted(new ClientIdentity(
                    user.name(), user.groups(), request.origin().commonName())));
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
