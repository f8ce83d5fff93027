package dev.avocet.server.directory;

import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.provider.LoginCache;
import dev.avocet.core.security.provider.ProviderThreads;
import dev.avocet.core.time.Clock;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory as one LDAP object describes it, with its threads, connections and memory. Another object makes another
 * one. Thread-safe.
 */
final class Directory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Directory.class);
    private static final int MOST_WAITING = 1_024;
    private static final int MOST_CACHED = 10_000;
    /** While the directory is away, a login that is remembered asks it no more often than this. */
    private static final long TRY_AGAIN_NS = TimeUnit.SECONDS.toNanos(5);

    private final LDAP ldap;
    private final Clock clock;
    private final DirectoryFigures figures;
    private final DirectoryConnections connections;
    private final ProviderThreads threads;
    private final DirectoryLogin login;
    private final LoginCache cache;
    private volatile boolean away;
    private volatile long awayAtNs;

    private Directory(
            LDAP ldap,
            DirectoryConnections connections,
            DirectoryFigures figures,
            Clock clock,
            ScheduledExecutorService timer) {
        this.ldap = ldap;
        this.clock = clock;
        this.figures = figures;
        this.connections = connections;
        this.threads = new ProviderThreads(
                "LDAP", ldap.maxConnections(), MOST_WAITING, Duration.ofSeconds(ldap.timeoutSeconds()), clock, timer);
        this.login = new DirectoryLogin(ldap, connections, clock);
        this.cache = new LoginCache(MOST_CACHED, new SecureRandom(), clock);
    }

    /** @param files where uploaded certificates are */
    static Directory open(LDAP ldap, Path files, DirectoryFigures figures, Clock clock, ScheduledExecutorService timer)
            throws UnusableDirectoryException {
        return new Directory(ldap, DirectoryConnections.of(ldap, files), figures, clock, timer);
    }

    void check(LoginQuestion question, Consumer<LoginVerdict> answer) {
        if (question.credentials() instanceof Credentials.Password given) {
            LoginVerdict.Accepted known = known(given);
            if (known == null) {
                threads.ask(
                        question.origin().network(),
                        deadline -> login.check(given, deadline),
                        verdict -> answer.accept(counted(limited(settled(given, verdict)))));
            } else {
                figures.cached.increment();
                answer.accept(limited(known));
            }
        } else if (question.credentials() instanceof Credentials.Certificate proved) {
            threads.ask(
                    question.origin().network(),
                    deadline -> login.lookUp(proved.userName(), deadline),
                    verdict -> answer.accept(counted(limited(noted(verdict)))));
        } else {
            answer.accept(LoginVerdict.NOT_MINE);
        }
    }

    int waiting() {
        return threads.waiting();
    }

    int idleConnections() {
        return connections.idle();
    }

    /** Whether it has answered when it was asked last. */
    boolean isAnswering() {
        return !away;
    }

    /** May wait for connections to be closed. */
    @Override
    public void close() {
        threads.close();
        connections.close();
    }

    private LoginVerdict.@Nullable Accepted known(Credentials.Password given) {
        if (!ldap.enableCache()) {
            return null;
        }
        LoginVerdict.Accepted fresh = cache.fresh(given);
        boolean asksNot = away && clock.nanoTime() - awayAtNs < TRY_AGAIN_NS;
        return fresh == null && asksNot ? cache.whileAway(given) : fresh;
    }

    /** Remembers what the directory says, or remembers what it has said when it says nothing. */
    private LoginVerdict settled(Credentials.Password given, LoginVerdict verdict) {
        noted(verdict);
        if (!ldap.enableCache()) {
            return verdict;
        }
        if (verdict instanceof LoginVerdict.Accepted accepted) {
            cache.add(
                    given,
                    accepted,
                    Duration.ofSeconds(ldap.cacheTimeoutSeconds()),
                    Duration.ofSeconds(ldap.offlineCacheTimeoutSeconds()));
        } else if (verdict instanceof LoginVerdict.Unavailable) {
            LoginVerdict.Accepted before = cache.whileAway(given);
            return before == null ? verdict : before;
        } else {
            cache.forget(given);
        }
        return verdict;
    }

    private LoginVerdict noted(LoginVerdict verdict) {
        if (verdict instanceof LoginVerdict.Unavailable unavailable) {
            if (!unavailable.overloaded()) {
                awayAtNs = clock.nanoTime();
                if (!away) {
                    away = true;
                    LOG.warn("The directory at {} cannot be asked about logins: {}", ldap.url(), unavailable.why());
                }
            }
        } else if (away) {
            away = false;
            LOG.info("The directory at {} answers again", ldap.url());
        }
        return verdict;
    }

    /** With the end that LoginLifetime gives it, if that comes first. */
    private LoginVerdict limited(LoginVerdict verdict) {
        return verdict instanceof LoginVerdict.Accepted accepted ? limited(accepted) : verdict;
    }

    private LoginVerdict limited(LoginVerdict.Accepted accepted) {
        if (ldap.loginLifetimeSeconds() == 0) {
            return accepted;
        }
        Instant end = Instant.ofEpochMilli(clock.wallTimeMs()).plusSeconds(ldap.loginLifetimeSeconds());
        Instant until = accepted.until();
        return until != null && until.isBefore(end) ? accepted : new LoginVerdict.Accepted(accepted.identity(), end);
    }

    private LoginVerdict counted(LoginVerdict verdict) {
        if (verdict instanceof LoginVerdict.Accepted) {
            figures.accepted.increment();
        } else if (verdict instanceof LoginVerdict.Refused) {
            figures.refused.increment();
        } else if (verdict instanceof LoginVerdict.Unavailable) {
            figures.unavailable.increment();
        } else {
            figures.unknown.increment();
        }
        return verdict;
    }
}
