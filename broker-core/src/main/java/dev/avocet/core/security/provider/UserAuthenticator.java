package dev.avocet.core.security.provider;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.UserStore;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Knows no other users than those of one {@link UserStore}: a chain of {@link LocalUsers} alone. Thread-safe. */
public final class UserAuthenticator implements Authenticator {
    private final Authenticator chain;

    /** @param workers a bounded executor that rejects what it has no room for */
    public UserAuthenticator(UserStore users, PasswordHasher hasher, Executor workers, SecureRandom random) {
        chain = new ChainAuthenticator(
                new LoginChain(List.of(new LocalUsers(users, hasher, inOrder(workers), random))));
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        chain.authenticate(request, loop, answer);
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        return chain.begin(method, request, loop);
    }

    private static LoginWorkers inOrder(Executor workers) {
        return (from, login, refused) -> {
            try {
                workers.execute(login);
            } catch (RejectedExecutionException e) {
                refused.run();
            }
        };
    }
}
