package dev.avocet.core.security.provider;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks a {@link LoginChain} for the connections of event loops, and answers there. */
public final class ChainAuthenticator implements Authenticator {
    private final LoginChain chain;

    public ChainAuthenticator(LoginChain chain) {
        this.chain = chain;
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        String userName = request.userName();
        byte[] password = request.password();
        if (password == null) {
            answer.accept(LoginResult.BAD_CREDENTIALS);
            return;
        }
        Credentials given = userName == null
                ? new Credentials.Token(new String(password, StandardCharsets.UTF_8))
                : new Credentials.Password(userName, password);
        ask(given, request, loop, answer);
    }

    @Override
    public void identify(String provedName, LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        LoginResult withoutGroups = new LoginResult.Granted(
                new ClientIdentity(provedName, Set.of(), request.origin().commonName()));
        ask(new Credentials.Certificate(provedName), request, loop, result -> {
            boolean unknown = result.equals(LoginResult.BAD_CREDENTIALS); // the certificate has proved the name already
            answer.accept(unknown ? withoutGroups : result);
        });
    }

    @Override
    public boolean needsPassword() {
        return chain.needsPassword();
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        return chain.begin(method, request, loop);
    }

    private void ask(Credentials credentials, LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        Asking asking = new Asking();
        chain.check(credentials, request.origin(), verdict -> {
            LoginResult result = LoginResult.of(verdict, request.origin().commonName());
            if (asking.isNow()) {
                answer.accept(result);
            } else {
                loop.execute(() -> answer.accept(result));
            }
        });
        asking.over = true;
    }

    /** Whether an answer comes at once, within the question and so on the loop. */
    private static final class Asking {
        private final Thread loop = Thread.currentThread();
        private boolean over; // of the loop's thread alone

        @SuppressWarnings("ReferenceEquality") // it is the same thread or not
        boolean isNow() {
            return Thread.currentThread() == loop && !over;
        }
    }
}
