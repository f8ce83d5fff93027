package dev.avocet.core.security.login;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.provider.LoginChain;
import dev.avocet.core.security.provider.ProviderThreads;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One of those that a {@link LoginChain} asks about credentials. Any thread may ask; event loops do, so what waits for
 * a disk, a network or a slow hash happens on threads of the provider's own, with a bounded queue in
 * which networks take turns and an end to the waiting, as {@link ProviderThreads} has them.
 */
public interface LoginProvider {
    /** Whether it is to be asked now; the answer changes with the configuration. */
    default boolean isActive() {
        return true;
    }

    /** Whether it can only check a password that it is told, so that exchanges such as SCRAM are not for its users. */
    default boolean needsPassword() {
        return false;
    }

    /**
     * Checks credentials.
     *
     * @param answer told once, on any thread; at once or later, but in bounded time
     */
    void check(LoginQuestion question, Consumer<LoginVerdict> answer);

    /** Begins an exchange by a named method, or null when the method is unknown here. */
    default @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        return null;
    }
}
