package dev.avocet.core.security.provider;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.security.user.User;
import dev.avocet.core.security.user.UserStore;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says who a client is by the certificate that the endpoint has verified, alone or before another authenticator is
 * asked.
 */
public final class CertificateAuthenticator implements Authenticator {
    private static final LoginResult WRONG_CERTIFICATE = new LoginResult.Refused(LoginRefusal.WRONG_CERTIFICATE);

    private final CertificateUse use;
    private final UserStore users;
    private final Authenticator passwords;

    /** @param users knows the groups of users that a certificate names */
    public CertificateAuthenticator(CertificateUse use, UserStore users, Authenticator passwords) {
        this.use = use;
        this.users = users;
        this.passwords = passwords;
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        if (isSomebodyElses(request)) {
            answer.accept(WRONG_CERTIFICATE);
        } else if (use.passwordAuthentication()) {
            passwords.authenticate(named(request), loop, answer);
        } else {
            admit(request, loop, answer);
        }
    }

    @Override
    public void identify(String provedName, LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        passwords.identify(provedName, request, loop, answer);
    }

    @Override
    public boolean needsPassword() {
        return passwords.needsPassword();
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        LoginRequest named = named(request);
        AuthenticationExchange begun = passwords.begin(method, named, loop);
        if (begun == null) {
            return null;
        }
        if (isSomebodyElses(request)) {
            return (data, answer) -> answer.accept(
                    new AuthenticationExchange.Step.Failure(LoginRefusal.WRONG_CERTIFICATE, named.userName()));
        }
        String required = use.commonNameIsUserName() ? request.origin().provenUser() : null;
        return required == null ? begun : new NamedExchange(begun, required);
    }

    private boolean isSomebodyElses(LoginRequest request) {
        return use.commonNameIsClientId() && !Objects.equals(request.origin().commonName(), request.clientId());
    }

    private LoginRequest named(LoginRequest request) {
        String proven = request.origin().provenUser();
        return use.commonNameIsUserName() && proven != null ? request.as(proven) : request;
    }

    /** Lets the client in for its certificate, or for its pre-shared key. */
    private void admit(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        String commonName = request.origin().commonName();
        String proven = request.origin().provenUser();
        if (proven == null || !use.commonNameIsUserName()) {
            // a user name that was not proved is none
            answer.accept(new LoginResult.Granted(ClientIdentity.unnamed(commonName)));
            return;
        }
        User user = users.userOf(proven);
        if (user == null) {
            passwords.identify(proven, request, loop, answer);
        } else {
            answer.accept(new LoginResult.Granted(new ClientIdentity(proven, user.groups(), commonName)));
        }
    }

    /** An exchange that may only prove one name. */
    private record NamedExchange(AuthenticationExchange exchange, String userName) implements AuthenticationExchange {
        @Override
        public void step(byte @Nullable [] clientData, Consumer<Step> answer) {
            exchange.step(clientData, step -> answer.accept(isAnother(step) ? refusal() : step));
        }

        private boolean isAnother(Step step) {
            return step instanceof Step.Success success
                    && !userName.equals(success.identity().userName());
        }

        private Step refusal() {
            return new Step.Failure(LoginRefusal.WRONG_CERTIFICATE, userName);
        }
    }
}
