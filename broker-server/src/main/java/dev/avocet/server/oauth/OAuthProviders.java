package dev.avocet.server.oauth;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.object.security.ServerCheck;
import dev.avocet.core.config.object.security.TokenCheck;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.policy.PolicyClaims;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.login.SourceNetwork;
import dev.avocet.core.security.provider.BearerExchange;
import dev.avocet.core.time.Clock;
import dev.avocet.server.certificates.UnusableProfileException;
import dev.avocet.server.objects.ConfigurationListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The OAuth servers of all OAuthProfile objects. A profile that cannot be used lets no client in, until it is
 * corrected. Thread-safe; changes come from the {@code configuration} thread.
 */
public final class OAuthProviders implements ConfigurationListener, MeterBinder, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OAuthProviders.class);

    /** As {@code TokenUserName}. */
    private static final String ANY_USER = "*";

    private final Path files;
    private final Clock clock;
    private final ScheduledExecutorService timer;
    private final OAuthFigures figures = new OAuthFigures();
    private final KeyVerifiers verifiers;
    private volatile Map<String, State> states = Map.of();

    /**
     * Knows no server before a configuration says so.
     *
     * @param files where uploaded files are
     * @param fips whether signatures are checked by the providers of the runtime alone
     * @param timer fires when a login has waited too long
     */
    public OAuthProviders(Path files, boolean fips, Clock clock, ScheduledExecutorService timer) {
        this.files = files;
        this.verifiers = KeyVerifiers.of(fips);
        this.clock = clock;
        this.timer = timer;
    }

    /** The server of a profile, as it is when it is asked. */
    public LoginProvider provider(String profile) {
        return new LoginProvider() {
            @Override
            public boolean needsPassword() {
                return true;
            }

            @Override
            public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
                return BearerExchange.of(method, this, request.origin(), loop);
            }

            @Override
            public void check(LoginQuestion question, Consumer<LoginVerdict> answer) {
                if (question.credentials() instanceof Credentials.Token token) {
                    OAuthProviders.this.check(
                            profile, token.token(), question.origin().network(), answer);
                } else {
                    answer.accept(LoginVerdict.NOT_MINE);
                }
            }
        };
    }

    /** The token that a client logs in with, by what the profile says about user names and cookies; or null. */
    public byte @Nullable [] tokenOf(String profile, LoginRequest request) {
        State state = states.get(profile);
        if (state == null) {
            return null;
        }
        if (request.namesNobody()) {
            String token = request.web().bearer();
            String given = token == null ? request.web().cookies().get(state.profile.tokenCookie()) : token;
            return given == null ? null : given.getBytes(StandardCharsets.UTF_8);
        }
        return isToken(state.profile, request) ? request.password() : null;
    }

    private static boolean isToken(OAuthProfile profile, LoginRequest request) {
        byte[] password = request.password();
        if (password == null) {
            return false;
        }
        String userName = request.userName();
        String ofTokens = profile.tokenUserName();
        if (userName == null || !ofTokens.equals(ANY_USER)) {
            return userName == null || userName.equals(ofTokens);
        }
        return profile.tokenCheck() != TokenCheck.KEY_SET
                || SignedTokens.looksLikeOne(new String(password, StandardCharsets.ISO_8859_1));
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        Map<String, State> old = states;
        Map<String, State> next = new HashMap<>();
        Set<String> asked = PolicyClaims.in(after);
        for (OAuthProfile profile : after.all(OAuthProfile.class)) {
            State known = old.get(profile.name());
            boolean same = known != null && known.profile.equals(profile) && known.askedClaims.equals(asked);
            next.put(profile.name(), same ? known : stateFor(profile, asked));
        }
        states = Map.copyOf(next);
        old.forEach((name, state) -> {
            if (!state.equals(next.get(name))) {
                state.close();
            }
        });
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "accepted", figures.accepted);
        counter(registry, "refused", figures.refused);
        counter(registry, "unavailable", figures.unavailable);
        counter(registry, "cached", figures.cached);
        FunctionCounter.builder("avocet.oauth.key.fetches", figures.fetches, LongAdder::sum)
                .description("How often keys of OAuth servers were fetched, or tried to")
                .register(registry);
        Gauge.builder("avocet.oauth.waiting", this, OAuthProviders::waiting)
                .description("Logins with tokens that wait to be checked")
                .register(registry);
    }

    @Override
    public void close() {
        Map<String, State> old = states;
        states = Map.of();
        old.values().forEach(State::close);
    }

    private void check(String profile, String token, SourceNetwork from, Consumer<LoginVerdict> answer) {
        State state = states.get(profile);
        if (state == null) {
            answer.accept(new LoginVerdict.Unavailable("there is no OAuthProfile '" + profile + "'", false));
        } else if (state.server == null) {
            answer.accept(new LoginVerdict.Unavailable(state.problem, false));
        } else {
            state.server.check(token, from, answer);
        }
    }

    private int waiting() {
        return states.values().stream()
                .mapToInt(state -> state.server == null ? 0 : state.server.waiting())
                .sum();
    }

    private State stateFor(OAuthProfile profile, Set<String> asked) {
        try {
            TokenServer server = TokenServer.open(profile, asked, files, figures, verifiers, clock, timer);
            State state = new State(profile, asked, server, "");
            warn(profile);
            return state;
        } catch (UnusableProfileException e) {
            LOG.error(
                    "OAuthProfile '{}' cannot be used, so no client logs in by it: {}", profile.name(), e.getMessage());
            return new State(profile, asked, null, "OAuthProfile '" + profile.name() + "': " + e.getMessage());
        }
    }

    private static void warn(OAuthProfile profile) {
        String asked = profile.tokenCheck() == TokenCheck.KEY_SET ? profile.keySetSource() : profile.resourceUrl();
        String lower = asked.toLowerCase(Locale.ROOT);
        if (lower.startsWith("http:")) {
            LOG.warn(
                    "OAuthProfile '{}': {} is not encrypted, so an attacker can let anyone in; use https",
                    profile.name(),
                    asked);
        } else if (lower.startsWith("https:") && profile.checkServerCert() == ServerCheck.DISABLE_VERIFY) {
            LOG.warn(
                    "OAuthProfile '{}': the certificate of {} is not checked, so an attacker can let anyone in; set"
                            + " CheckServerCert",
                    profile.name(),
                    asked);
        }
        if (profile.tokenCheck() == TokenCheck.KEY_SET && profile.audience().isEmpty()) {
            LOG.warn(
                    "OAuthProfile '{}': tokens that {} has given for other services are good here too; set Audience",
                    profile.name(),
                    profile.issuer());
        }
    }

    private static void counter(MeterRegistry registry, String result, LongAdder counted) {
        FunctionCounter.builder("avocet.oauth.logins", counted, LongAdder::sum)
                .tag("result", result)
                .description("Logins with tokens, by what became of them; cached ones asked nothing")
                .register(registry);
    }

    /**
     * What a profile comes to.
     *
     * @param askedClaims the names of the claims that policies ask for
     * @param server null when the profile cannot be used
     * @param problem why
     */
    private record State(
            OAuthProfile profile,
            Set<String> askedClaims,
            @Nullable TokenServer server,
            String problem) {
        void close() {
            if (server != null) {
                server.close();
            }
        }
    }
}
