package dev.avocet.core.security.admission;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets in who gives neither name nor password. A name counts as none as long as no user could prove one, and has to be
 * proved from the first user on.
 */
public final class AnonymousWhileNobodyIsKnown implements Authenticator {
    private final Authenticator anonymous = new AnonymousAuthenticator();
    private final Authenticator known;
    private final BooleanSupplier isNobodyKnown;

    /** @param isNobodyKnown asked at each login, on its loop, so it answers at once */
    public AnonymousWhileNobodyIsKnown(BooleanSupplier isNobodyKnown, Authenticator passwords) {
        this.isNobodyKnown = isNobodyKnown;
        this.known = new AnonymousAdmission(passwords);
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        now().authenticate(request, loop, answer);
    }

    @Override
    public void identify(String provedName, LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        now().identify(provedName, request, loop, answer);
    }

    @Override
    public boolean needsPassword() {
        return now().needsPassword();
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        return now().begin(method, request, loop);
    }

    private Authenticator now() {
        return isNobodyKnown.getAsBoolean() ? anonymous : known;
    }
}
