package dev.avocet.core.security;

import dev.avocet.core.loop.IoLoop;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows the users of a {@link UserStore}: by plain password, checked on the workers because that costs milliseconds,
 * and by SCRAM-SHA-256. A password that was right lately is known again without the workers. When the workers have more
 * to do than their queue holds, logins are refused rather than kept.
 *
 * <p>One for all endpoints, as it remembers passwords. Thread-safe.
 */
public final class UserAuthenticator implements Authenticator {
    private final UserStore users;
    private final ScramAuthenticator scram;
    private final PasswordCheck passwords;
    private final VerifiedPasswords verified;
    private final Executor workers;

    /** @param workers a bounded executor that rejects what it has no room for */
    public UserAuthenticator(UserStore users, PasswordHasher hasher, Executor workers, SecureRandom random) {
        this.users = users;
        this.scram = new ScramAuthenticator(users, random);
        this.passwords = new PasswordCheck(users, scram, hasher);
        this.verified = new VerifiedPasswords(random);
        this.workers = workers;
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        String userName = request.userName();
        byte[] password = request.password();
        if (userName == null || password == null) {
            answer.accept(LoginResult.BAD_CREDENTIALS);
            return;
        }
        User user = users.userOf(userName);
        if (user != null && verified.holds(user, password)) {
            answer.accept(granted(user, request));
            return;
        }
        try {
            workers.execute(() -> {
                LoginResult result = check(userName, password, request);
                loop.execute(() -> answer.accept(result));
            });
        } catch (RejectedExecutionException e) {
            answer.accept(new LoginResult.Refused(LoginRefusal.BUSY));
        }
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        return method.equals(ScramServer.MECHANISM)
                ? new ScramExchange(scram, request.origin().commonName())
                : null;
    }

    /** The user of that name whose password that is, or null. Computes for milliseconds; not for event loops. */
    @SuppressWarnings("ReferenceEquality") // a user that has been changed is another object
    public @Nullable User userOf(String userName, byte[] password) {
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

    private LoginResult check(String userName, byte[] password, LoginRequest request) {
        User user = userOf(userName, password);
        return user == null ? LoginResult.BAD_CREDENTIALS : granted(user, request);
    }

    private static LoginResult granted(User user, LoginRequest request) {
        return new LoginResult.Granted(
                new ClientIdentity(user.name(), user.groups(), request.origin().commonName()));
    }
}
