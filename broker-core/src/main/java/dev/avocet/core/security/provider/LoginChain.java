package dev.avocet.core.security.provider;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The providers that are asked about a login, in order. The first one that knows the user decides: a wrong password is
 * refused and no later provider sees it, and a provider that cannot say ends the login too. What no provider knows is
 * refused. Immutable, any thread.
 */
public final class LoginChain {
    private final List<LoginProvider> providers;

    public LoginChain(List<LoginProvider> providers) {
        this.providers = List.copyOf(providers);
    }

    /** The same, with a provider that is asked before all others. */
    public LoginChain after(LoginProvider first) {
        List<LoginProvider> all = new ArrayList<>(List.of(first));
        all.addAll(providers);
        return new LoginChain(all);
    }

    /**
     * Asks the providers.
     *
     * @param answer told once, on any thread, at once or later; {@link LoginVerdict#NOT_MINE} when no provider knows
     *     the user
     */
    public void check(Credentials credentials, ClientOrigin origin, Consumer<LoginVerdict> answer) {
        ask(providers.stream().filter(LoginProvider::isActive).toList(), 0, credentials, origin, answer);
    }

    /** Whether some users can log in only by a password that the broker is told. */
    public boolean needsPassword() {
        return providers.stream().anyMatch(provider -> provider.isActive() && provider.needsPassword());
    }

    /** An exchange of the first provider that knows the method, or null. */
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        for (LoginProvider provider : providers) {
            AuthenticationExchange begun = provider.isActive() ? provider.begin(method, request, loop) : null;
            if (begun != null) {
                return begun;
            }
        }
        return null;
    }

    private static void ask(
            List<LoginProvider> active,
            int index,
            Credentials credentials,
            ClientOrigin origin,
            Consumer<LoginVerdict> answer) {
        if (index == active.size()) {
            answer.accept(LoginVerdict.NOT_MINE);
            return;
        }
        boolean last = index == active.size() - 1;
        active.get(index).check(new LoginQuestion(credentials, origin, last), verdict -> {
            if (verdict instanceof LoginVerdict.NotMine) {
                ask(active, index + 1, credentials, origin, answer);
            } else {
                answer.accept(verdict);
            }
        });
    }
}
