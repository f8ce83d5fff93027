package dev.avocet.core.security.provider;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.login.SourceNetwork;
import dev.avocet.core.security.scram.ScramAuthenticator;
import dev.avocet.core.security.scram.ScramExchange;
import dev.avocet.core.security.scram.ScramServer;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.User;
import dev.avocet.core.security.user.UserStore;
import dev.avocet.core.security.user.VerifiedPasswords;
import java.security.SecureRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The users of a {@link UserStore}: by plain password, checked on the workers because that costs milliseconds, and by
 * SCRAM-SHA-256. A password that was right lately is known again without the workers. When the workers have more to do
 * than their queue holds, logins are refused rather than kept.
 *
 * <p>One for all endpoints, as it remembers passwords. Thread-safe.
 */
public final class LocalUsers implements LoginProvider {
    private static final LoginVerdict WRONG = new LoginVerdict.Refused("");
    private static final LoginVerdict OVERLOADED = new LoginVerdict.Unavailable("", true);

    private final UserStore users;
    private final ScramAuthenticator scram;
    private final PasswordCheck passwords;
    private final VerifiedPasswords verified;
    private final LoginWorkers workers;

    public LocalUsers(UserStore users, PasswordHasher hasher, LoginWorkers workers, SecureRandom random) {
        this.users = users;
        this.scram = new ScramAuthenticator(users, random);
        this.passwords = new PasswordCheck(users, scram, hasher);
        this.verified = new VerifiedPasswords(random);
        this.workers = workers;
    }

    @Override
    public void check(LoginQuestion question, Consumer<LoginVerdict> answer) {
        if (question.credentials() instanceof Credentials.Password given) {
            check(given, question.origin().network(), question.last(), answer);
        } else if (question.credentials() instanceof Credentials.Certificate proved) {
            answer.accept(verdict(users.userOf(proved.userName()), LoginVerdict.NOT_MINE));
        } else {
            answer.accept(LoginVerdict.NOT_MINE);
        }
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        return method.equals(ScramServer.MECHANISM)
                ? new ScramExchange(scram, request.origin().commonName())
                : null;
    }

    private void check(Credentials.Password given, SourceNetwork from, boolean last, Consumer<LoginVerdict> answer) {
        User user = users.userOf(given.userName());
        if (user == null && !last) {
            answer.accept(LoginVerdict.NOT_MINE);
        } else if (user != null && verified.holds(user, given.password())) {
            answer.accept(verdict(user, WRONG));
        } else {
            workers.execute(
                    from,
                    () -> answer.accept(verdict(userOf(given.userName(), given.password()), WRONG)),
                    () -> answer.accept(OVERLOADED));
        }
    }

    /** The user of that name whose password that is, or null. Computes for milliseconds; not for event loops. */
    @SuppressWarnings("ReferenceEquality") // a user that has been changed is another object
    private @Nullable User userOf(String userName, byte[] password) {
        User user = users.userOf(userName);
        if (user != null && verified.holds(user, password)) {
            return user;
        }
        if (!passwords.matches(user, userName, password) || user == null) {
            return null;
        }
        if (users.userOf(userName) != user) { // deleted or changed while the hash was computed
            return null;
        }
        verified.add(user, password);
        return user;
    }

    private static LoginVerdict verdict(@Nullable User user, LoginVerdict otherwise) {
        return user == null
                ? otherwise
                : new LoginVerdict.Accepted(new ClientIdentity(user.name(), user.groups(), null), null);
    }
}
