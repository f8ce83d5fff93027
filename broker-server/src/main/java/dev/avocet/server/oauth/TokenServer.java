package dev.avocet.server.oauth;

import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.object.security.TokenCheck;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.login.SourceNetwork;
import dev.avocet.core.security.provider.ProviderThreads;
import dev.avocet.core.security.provider.ProviderThreads.Deadline;
import dev.avocet.core.time.Clock;
import dev.avocet.server.certificates.UnusableProfileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An OAuth server as one OAuthProfile describes it, with its threads, keys and memory. Another object makes another
 * one. Thread-safe.
 *
 * <p>A token whose key is not known waits for the thread that fetches keys; those whose keys are known pass it by.
 */
final class TokenServer implements AutoCloseable {
    static final int MAX_TOKEN_CHARS = 16 << 10;
    private static final int MOST_WAITING = 1_024;
    private static final int MOST_CACHED = 10_000;
    private static final int SIGNATURE_THREADS = 2;
    private static final LoginVerdict NO_TOKEN = new LoginVerdict.Refused("the token is empty or too long");

    private final OAuthProfile profile;
    private final Clock clock;
    private final OAuthFigures figures;
    private final ProviderThreads threads;
    private final ProviderThreads keyThread;
    private final TokenMemory memory;
    private final KeySet keys;
    private final SignedTokens signed;
    private final OpaqueTokens opaque;
    private final AtomicBoolean refreshing = new AtomicBoolean();

    private TokenServer(
            OAuthProfile profile,
            Set<String> askedClaims,
            WebClient web,
            Path files,
            OAuthFigures figures,
            KeyVerifiers verifiers,
            Clock clock,
            ScheduledExecutorService timer) {
        this.profile = profile;
        this.clock = clock;
        this.figures = figures;
        boolean bySignature = profile.tokenCheck() == TokenCheck.KEY_SET;
        Duration timeout = Duration.ofSeconds(profile.timeoutSeconds());
        int number = bySignature ? SIGNATURE_THREADS : profile.maxConnections();
        this.threads = new ProviderThreads("OAuth", number, MOST_WAITING, timeout, clock, timer);
        this.keyThread = new ProviderThreads("OAuth-keys", 1, MOST_WAITING, timeout, clock, timer);
        this.memory = new TokenMemory(MOST_CACHED, clock);
        this.keys = new KeySet(profile, web, files, clock, figures, memory::clear);
        this.signed = new SignedTokens(profile, askedClaims, verifiers, clock);
        this.opaque = new OpaqueTokens(profile, askedClaims, web, clock);
        if (bySignature) {
            refreshInBackground();
        }
    }

    /**
     * Begins to fetch the keys of signed tokens.
     *
     * @param askedClaims the names of the claims that policies ask for
     * @param files where uploaded files are
     */
    static TokenServer open(
            OAuthProfile profile,
            Set<String> askedClaims,
            Path files,
            OAuthFigures figures,
            KeyVerifiers verifiers,
            Clock clock,
            ScheduledExecutorService timer)
            throws UnusableProfileException {
        return new TokenServer(
                profile, askedClaims, WebClient.of(profile, files), files, figures, verifiers, clock, timer);
    }

    void check(String token, SourceNetwork from, Consumer<LoginVerdict> answer) {
        if (token.isBlank() || token.length() > MAX_TOKEN_CHARS || token.chars().anyMatch(TokenServer::isNoTokenChar)) {
            answer.accept(counted(NO_TOKEN));
            return;
        }
        LoginVerdict.Accepted known = memory.find(token);
        if (known != null) {
            figures.cached.increment();
            answer.accept(known);
        } else if (profile.tokenCheck() == TokenCheck.KEY_SET) {
            checkSignature(token, from, answer);
        } else {
            threads.ask(
                    from, deadline -> opaque.check(token, deadline), verdict -> answer.accept(settled(token, verdict)));
        }
    }

    int waiting() {
        return threads.waiting() + keyThread.waiting();
    }

    /** Ends the threads; what waits is answered. */
    @Override
    public void close() {
        threads.close();
        keyThread.close();
    }

    private void checkSignature(String token, SourceNetwork from, Consumer<LoginVerdict> answer) {
        if (keys.isOld()) {
            refreshInBackground();
        }
        threads.ask(from, deadline -> signed.check(token, keys.keys()), verdict -> {
            if (verdict instanceof LoginVerdict.NotMine) {
                keyThread.ask(
                        from,
                        deadline -> withNewerKeys(token, deadline),
                        later -> answer.accept(settled(token, later)));
            } else {
                answer.accept(settled(token, verdict));
            }
        });
    }

    private LoginVerdict withNewerKeys(String token, Deadline deadline) {
        keys.refresh(deadline);
        PublicKeys now = keys.keys();
        if (now.entries().isEmpty()) {
            return new LoginVerdict.Unavailable(keys.problem(), false);
        }
        LoginVerdict verdict = signed.check(token, now);
        return verdict instanceof LoginVerdict.NotMine
                ? new LoginVerdict.Refused("the token is signed by a key that the server does not have")
                : verdict;
    }

    private void refreshInBackground() {
        if (refreshing.compareAndSet(false, true)) {
            keyThread.ask(
                    SourceNetwork.UNKNOWN,
                    deadline -> {
                        keys.refresh(deadline);
                        return LoginVerdict.NOT_MINE; // no caller waits
                    },
                    verdict -> refreshing.set(false));
        }
    }

    private LoginVerdict settled(String token, LoginVerdict verdict) {
        if (verdict instanceof LoginVerdict.Accepted accepted) {
            Instant asked = Instant.ofEpochMilli(clock.wallTimeMs()).plusSeconds(profile.cacheTimeoutSeconds());
            boolean untilItsEnd = profile.tokenCheck() == TokenCheck.KEY_SET && accepted.until() != null;
            memory.add(token, accepted, untilItsEnd ? accepted.until() : asked);
        }
        return counted(verdict);
    }

    private LoginVerdict counted(LoginVerdict verdict) {
        if (verdict instanceof LoginVerdict.Accepted) {
            figures.accepted.increment();
        } else if (verdict instanceof LoginVerdict.Unavailable) {
            figures.unavailable.increment();
        } else {
            figures.refused.increment();
        }
        return verdict;
    }

    /** Blanks and line ends could not be sent to a server. */
    private static boolean isNoTokenChar(int c) {
        return c <= ' ' || c >= 0x7F;
    }
}
