package dev.avocet.server.ltpa;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.config.object.security.LtpaVersion;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.login.SourceNetwork;
import dev.avocet.core.security.provider.LoginChain;
import dev.avocet.core.security.provider.ProviderThreads;
import dev.avocet.core.time.Clock;
import dev.avocet.server.certificates.UnusableProfileException;
import dev.avocet.server.objects.ConfigurationListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of all LTPAProfile objects, and the threads that check tokens by them. A profile that cannot be used lets no
 * client in, until it is corrected. Thread-safe; changes come from the {@code configuration} thread.
 */
public final class LtpaProviders implements ConfigurationListener, MeterBinder, AutoCloseable {
    /** The user names with which clients send a token as the password: in the reference's code, and in its manual. */
    static final Set<String> TOKEN_USER_NAMES = Set.of("IMA_LTPA_AUTH", "IMA_LTPA_TOKEN");

    private static final Logger LOG = LoggerFactory.getLogger(LtpaProviders.class);
    private static final int THREADS = 2;
    private static final int MOST_WAITING = 1_024;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Path files;
    private final boolean fips;
    private final Clock clock;
    private final ProviderThreads threads;
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unavailable = new LongAdder();
    private volatile Map<String, State> states = Map.of();

    /**
     * Knows no keys before a configuration says so.
     *
     * @param files where uploaded files are
     * @param fips whether there may be none: LTPA is Triple DES and SHA-1
     * @param timer fires when a login has waited too long
     */
    public LtpaProviders(Path files, boolean fips, Clock clock, ScheduledExecutorService timer) {
        this.files = files;
        this.fips = fips;
        this.clock = clock;
        this.threads = new ProviderThreads("LTPA", THREADS, MOST_WAITING, TIMEOUT, clock, timer);
    }

    /**
     * What checks tokens by a profile, as it is when it is asked.
     *
     * @param groups those who are asked for the groups of a token's user, by name
     */
    public LoginProvider provider(String profile, LoginChain groups) {
        return new LoginProvider() {
            @Override
            public boolean needsPassword() {
                return true;
            }

            @Override
            public void check(LoginQuestion question, Consumer<LoginVerdict> answer) {
                if (question.credentials() instanceof Credentials.Token token) {
                    LtpaProviders.this.check(
                            profile,
                            token.token(),
                            question.origin().network(),
                            verdict ->
                                    withGroups(verdict, groups, question.origin(), all -> answer.accept(counted(all))));
                } else {
                    answer.accept(LoginVerdict.NOT_MINE);
                }
            }
        };
    }

    /** The token that a client logs in with: its password, or a cookie where it says neither name nor password. */
    public byte @Nullable [] tokenOf(String profile, LoginRequest request) {
        if (!request.namesNobody()) {
            return request.userName() != null && TOKEN_USER_NAMES.contains(request.userName())
                    ? request.password()
                    : null;
        }
        State state = states.get(profile);
        if (state != null) {
            for (LtpaVersion version : LtpaVersion.values()) {
                String cookie = request.web().cookies().get(version.toString());
                if (cookie != null && state.profile.tokenVersions().contains(version)) {
                    return cookie.getBytes(StandardCharsets.UTF_8);
                }
            }
        }
        return null;
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        Map<String, State> old = states;
        Map<String, State> next = new HashMap<>();
        for (LTPAProfile profile : after.all(LTPAProfile.class)) {
            State known = old.get(profile.name());
            boolean same = known != null && known.profile.equals(profile) && known.server != null;
            next.put(profile.name(), same ? known : stateFor(profile));
        }
        states = Map.copyOf(next);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "accepted", accepted);
        counter(registry, "refused", refused);
        counter(registry, "unavailable", unavailable);
        Gauge.builder("avocet.ltpa.waiting", threads, ProviderThreads::waiting)
                .description("Logins with LTPA tokens that wait to be checked")
                .register(registry);
    }

    @Override
    public void close() {
        states = Map.of();
        threads.close();
    }

    private void check(String profile, String token, SourceNetwork from, Consumer<LoginVerdict> answer) {
        State state = states.get(profile);
        if (state == null) {
            answer.accept(new LoginVerdict.Unavailable("there is no LTPAProfile '" + profile + "'", false));
        } else if (state.server == null) {
            answer.accept(new LoginVerdict.Unavailable(state.problem, false));
        } else {
            LtpaServer server = state.server;
            threads.ask(from, deadline -> server.tokens().check(token), answer);
        }
    }

    private static void withGroups(
            LoginVerdict verdict, LoginChain groups, ClientOrigin origin, Consumer<LoginVerdict> answer) {
        if (verdict instanceof LoginVerdict.Accepted accepted
                && accepted.identity().userName() != null) {
            String name = accepted.identity().userName();
            groups.check(new Credentials.Certificate(name), origin, known -> answer.accept(joined(accepted, known)));
        } else {
            answer.accept(verdict);
        }
    }

    /** The name of those who know the user, their groups, and the earlier end of the two. */
    private static LoginVerdict joined(LoginVerdict.Accepted token, LoginVerdict known) {
        if (known instanceof LoginVerdict.NotMine) {
            return token;
        }
        if (!(known instanceof LoginVerdict.Accepted user)) {
            return known;
        }
        Instant end = user.until();
        boolean earlier = end != null && token.until() != null && end.isBefore(token.until());
        ClientIdentity identity = user.identity();
        return new LoginVerdict.Accepted(identity, earlier ? end : token.until());
    }

    private LoginVerdict counted(LoginVerdict verdict) {
        if (verdict instanceof LoginVerdict.Accepted) {
            accepted.increment();
        } else if (verdict instanceof LoginVerdict.Unavailable) {
            unavailable.increment();
        } else {
            refused.increment();
        }
        return verdict;
    }

    private State stateFor(LTPAProfile profile) {
        try {
            State state = new State(profile, LtpaServer.open(profile, files, fips, clock), "");
            if (profile.tokenVersions().contains(LtpaVersion.ONE)) {
                LOG.warn(
                        "LTPAProfile '{}': the end of an LtpaToken is not signed, so who has several can prolong one;"
                                + " let TokenVersions be LtpaToken2",
                        profile.name());
            }
            return state;
        } catch (UnusableProfileException e) {
            LOG.error(
                    "LTPAProfile '{}' cannot be used, so no client logs in by it: {}", profile.name(), e.getMessage());
            return new State(profile, null, "LTPAProfile '" + profile.name() + "': " + e.getMessage());
        }
    }

    private static void counter(MeterRegistry registry, String result, LongAdder counted) {
        FunctionCounter.builder("avocet.ltpa.logins", counted, LongAdder::sum)
                .tag("result", result)
                .description("Logins with LTPA tokens, by what became of them")
                .register(registry);
    }

    /**
     * What a profile comes to.
     *
     * @param server null when the profile cannot be used
     * @param problem why
     */
    private record State(LTPAProfile profile, @Nullable LtpaServer server, String problem) {}
}
