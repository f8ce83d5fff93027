package dev.avocet.core.security;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows the users of a {@link UserStore}: by plain password, checked on the workers because that costs milliseconds, and by
 * SCRAM-SHA-256. When the workers have more to do than their queue holds, logins are refused rather than kept.
 */
public final class UserAuthenticator implements Authenticator {
    private final ScramAuthenticator scram;
    private final Executor workers;
    private final boolean anonymousAllowed;

    /** @param workers a bounded executor that rejects what it has no room for */
    public UserAuthenticator(ScramAuthenticator scram, Executor workers, boolean anonymousAllowed) {
        this.scram = scram;
        this.workers = workers;
        this.anonymousAllowed = anonymousAllowed;
    }

    @Override
    public void authenticate(
            @Nullable String userName, byte @Nullable [] password, Executor answerOn, Consumer<LoginResult> answer) {
        if (userName == null) {
            answer.accept(anonymousAllowed && password == null ? LoginResult.GRANTED : LoginResult.BAD_CREDENTIALS);
            return;
        }
        if (password == null) {
            answer.accept(LoginResult.BAD_CREDENTIALS);
            return;
        }
        try {
            workers.execute(() -> {
                LoginResult result =
                        scram.matches(userName, password) ? LoginResult.GRANTED : LoginResult.BAD_CREDENTIALS;
                answerOn.execute(() -> answer.accept(result));
            });
        } catch (RejectedExecutionException e) {
            answer.accept(LoginResult.BAD_CREDENTIALS);
        }
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method) {
        return method.equals(ScramServer.MECHANISM) ? new ScramExchange(scram.begin()) : null;
    }

    /** {@link ScramServer} as one of the exchanges that a front end may meet. */
    private record ScramExchange(ScramServer server) implements AuthenticationExchange {
        @Override
        public Step step(byte @Nullable [] clientData) {
            if (clientData == null) {
                return new Step.Continue(new byte[0]);
            }
            ScramReply reply = server.onMessage(clientData);
            if (reply instanceof ScramReply.Challenge challenge) {
                return new Step.Continue(challenge.utf8());
            }
            if (reply instanceof ScramReply.Accepted accepted) {
                return new Step.Success(accepted.userName(), accepted.utf8());
            }
            return new Step.Failure(((ScramReply.Rejected) reply).reason().toString());
        }
    }
}
