package dev.avocet.server.rest.login;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.config.object.security.LoginSource;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.throttle.LoginThrottle;
import dev.avocet.core.security.throttle.LoginThrottleOptions;
import dev.avocet.core.security.user.User;
import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.client.CommonName;
import dev.avocet.server.broker.BrokerUsers;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.console.Session;
import dev.avocet.server.console.SessionCookie;
import dev.avocet.server.console.Sessions;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import io.javalin.http.Context;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out who makes a request. While {@code AdminUserPassword} is not set, users of this machine may do
 * everything; later every request needs a password. Thread-safe.
 */
public final class AdminLogin {
    private static final Logger LOG = LoggerFactory.getLogger(AdminLogin.class);
    private static final String PLACE = "administration";
    private static final String BEARER = "Bearer ";
    private static final String AUTHORIZATION = "Authorization";
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";
    private static final long MS_PER_SECOND = 1_000;

    private final AdminPassword adminPassword = new AdminPassword(new SecureRandom());
    private final Tokens tokens = new Tokens(new SecureRandom());
    private final Clock clock;
    private final Sessions sessions;
    private final LoginThrottle throttle;
    private final AtomicBoolean warned = new AtomicBoolean();

    public AdminLogin(boolean throttled, Clock clock) {
        this.clock = clock;
        this.sessions = new Sessions(clock, new SecureRandom());
        this.throttle = new LoginThrottle(throttled ? LoginThrottleOptions.DEFAULT : LoginThrottleOptions.OFF, clock);
    }

    /**
     * How long a request has to wait for others that failed, in milliseconds. Who must gets a place, which is given
     * back by {@link #leave}.
     */
    public long delayMs(Context context) throws Refusal {
        boolean token = header(context) != null;
        BasicCredentials credentials = token || bearer(context) != null ? null : BasicCredentials.of(context);
        ClientOrigin origin = origin(context);
        long delayMs = token || credentials != null
                ? throttle.delayMs(origin, credentials == null ? null : credentials.name())
                : 0;
        if (delayMs > 0 && !throttle.enter(origin)) {
            throw new Refusal(Code.TOO_MANY_FAILURES, "too many logins have failed; try again in a moment");
        }
        return delayMs;
    }

    public void leave(Context context) {
        throttle.leave(origin(context));
    }

    /**
     * Asks those who know the users of clients about the one who makes the request, where that is needed.
     *
     * @param broker knows whom to ask; null while it starts
     * @return what they say; null at once where no answer is needed
     */
    public CompletableFuture<@Nullable LoginVerdict> ask(
            Context context, Configuration configuration, @Nullable RunningBroker broker) throws Refusal {
        CompletableFuture<@Nullable LoginVerdict> answer = new CompletableFuture<>();
        Credentials asked = broker == null ? null : question(context, configuration, broker);
        if (asked == null || broker == null) {
            answer.complete(null);
        } else {
            broker.logins(sources(configuration), tokenProfile(configuration))
                    .check(asked, origin(context), answer::complete);
        }
        return answer;
    }

    private @Nullable Credentials question(Context context, Configuration configuration, RunningBroker broker)
            throws Refusal {
        Singletons values = configuration.single(Singletons.class);
        String token = bearer(context);
        if (token != null) {
            Tokens.Claim claim = tokens.read(token, clock.wallTimeMs());
            boolean ofDirectory = claim != null
                    && !claim.name().equals(values.adminUserId())
                    && userNamed(claim.name(), broker) == null
                    && claim.print().equals(directoryPrint(configuration));
            if (claim == null && !tokenProfile(configuration).isEmpty()) {
                return new Credentials.Token(token);
            }
            return ofDirectory ? new Credentials.Certificate(claim.name()) : null;
        }
        BasicCredentials given = BasicCredentials.of(context);
        if (given == null) {
            String name = certificateName(context, configuration);
            return name == null ? null : new Credentials.Certificate(name);
        }
        return given.name().equals(values.adminUserId())
                ? null
                : new Credentials.Password(given.name(), given.password().getBytes(StandardCharsets.UTF_8));
    }

    /** @param asked what {@link #ask} has found out */
    public Administrator admit(
            Context context, Configuration configuration, @Nullable RunningBroker broker, @Nullable LoginVerdict asked)
            throws Refusal {
        Singletons values = configuration.single(Singletons.class);
        String token = bearer(context);
        if (token != null) {
            return byToken(context, token, configuration, broker, asked);
        }
        BasicCredentials credentials = BasicCredentials.of(context);
        if (credentials == null) {
            String certified = certificateName(context, configuration);
            return certified == null ? withoutPassword(context, values) : byCertificate(certified, context, asked);
        }
        if (credentials.name().equals(values.adminUserId())) {
            if (adminPassword.isRight(values, credentials.password())) {
                throttle.succeeded(credentials.name());
                return mayDoEverything(credentials.name(), context, false);
            }
        } else if (asked instanceof LoginVerdict.Accepted accepted) {
            throttle.succeeded(credentials.name());
            return administrator(accepted, context, false);
        } else if (asked instanceof LoginVerdict.Unavailable unavailable) {
            throw notNow(unavailable, values);
        }
        throttle.failed(origin(context), credentials.name());
        throw new Refusal(Code.NOT_AUTHENTICATED, "the user name or the password is wrong");
    }

    private static Refusal notNow(LoginVerdict.Unavailable unavailable, Singletons values) {
        LOG.warn("An administrator's login could not be checked: {}", unavailable.why());
        return new Refusal(
                Code.NOT_NOW,
                (unavailable.overloaded()
                                ? "more logins wait to be checked than may"
                                : "the directory that knows the users does not answer")
                        + "; try again, or log in as '" + values.adminUserId() + "'");
    }

    private Administrator withoutPassword(Context context, Singletons values) throws Refusal {
        if (!values.adminUserPassword().isEmpty()) {
            throw new Refusal(Code.NOT_AUTHENTICATED, "give a user name and a password");
        }
        RequestOrigin.requireThisMachine(context, address(context));
        if (!warned.getAndSet(true)) {
            LOG.warn("Every user of this machine may administer the broker without a password; set AdminUserPassword");
        }
        return new Administrator(null, Set.of(), address(context), commonName(context), false, true);
    }

    /** Whom a certificate shows, where the AdminEndpoint is content with that; null otherwise. */
    private static @Nullable String certificateName(Context context, Configuration configuration) {
        return profile(configuration)
                .filter(profile -> profile.useClientCertificate() && !profile.usePasswordAuthentication())
                .map(profile -> commonName(context))
                .orElse(null);
    }

    private static Administrator byCertificate(String name, Context context, @Nullable LoginVerdict asked)
            throws Refusal {
        if (asked instanceof LoginVerdict.Unavailable || asked instanceof LoginVerdict.Refused) {
            throw new Refusal(Code.NOT_NOW, "the directory that knows the user's groups does not answer; try again");
        }
        Set<String> groups = asked instanceof LoginVerdict.Accepted accepted
                ? accepted.identity().groups()
                : Set.of();
        return new Administrator(name, groups, address(context), name, false, false);
    }

    private Administrator byToken(
            Context context,
            String token,
            Configuration configuration,
            @Nullable RunningBroker broker,
            @Nullable LoginVerdict asked)
            throws Refusal {
        Tokens.Claim claim = tokens.read(token, clock.wallTimeMs());
        Singletons values = configuration.single(Singletons.class);
        if (claim != null && claim.print().equals(printOf(claim.name(), configuration, broker))) {
            if (claim.name().equals(values.adminUserId())) {
                return mayDoEverything(claim.name(), context, true);
            }
            User user = userNamed(claim.name(), broker);
            if (user != null) {
                return new Administrator(
                        user.name(), user.groups(), address(context), commonName(context), true, false);
            }
            if (asked instanceof LoginVerdict.Accepted accepted) {
                return administrator(accepted, context, true);
            }
            if (asked instanceof LoginVerdict.Unavailable unavailable) {
                throw notNow(unavailable, values);
            }
        }
        if (claim == null && asked instanceof LoginVerdict.Accepted accepted) {
            return administrator(accepted, context, true);
        }
        if (claim == null && asked instanceof LoginVerdict.Unavailable unavailable) {
            throw notNow(unavailable, values);
        }
        if (claim == null && header(context) != null) {
            throttle.failed(origin(context));
        }
        if (claim == null && asked != null) {
            throw new Refusal(Code.NOT_AUTHENTICATED, "the token is not good; get another from the OAuth server");
        }
        throw new Refusal(Code.NOT_AUTHENTICATED, "the token is not good any more; get another with your password");
    }

    /** A token for a user who has proved the name by a password. */
    Issued issue(String name, long lifetimeSeconds, Configuration configuration, @Nullable RunningBroker broker)
            throws Refusal {
        String print = printOf(name, configuration, broker);
        if (print == null) {
            throw new Refusal(Code.NOT_AUTHORIZED, "a token is given for a user name and a password only");
        }
        long endMs = clock.wallTimeMs() + lifetimeSeconds * MS_PER_SECOND;
        return new Issued(tokens.issue(new Tokens.Claim(name, print, endMs)), endMs);
    }

    /** Begins a session of the console for a user who has proved the name by a password or a token. */
    Session openSession(Context context, String name, Configuration configuration, @Nullable RunningBroker broker)
            throws Refusal {
        String brought = bearer(context);
        String token = brought == null
                ? issue(name, Sessions.LONGEST.toSeconds(), configuration, broker)
                        .token()
                : brought;
        Session begun = sessions.open(name, token);
        if (begun == null) {
            throw new Refusal(Code.NOT_NOW, "as many users are logged in at the console as may be; try again later");
        }
        return begun;
    }

    /** Ends the session that a request names; returns whether it names one. */
    boolean closeSession(Context context) {
        String id = SessionCookie.read(context);
        boolean open = id != null && sessions.find(id, false) != null;
        if (id != null) {
            sessions.close(id);
        }
        return open;
    }

    /** Ends all sessions of a user; returns how many there were. */
    int closeSessionsOf(String name) {
        return sessions.closeAllOf(name);
    }

    /** Tells whether the session goes on that a request is made in; always, where it is made in none. */
    public BooleanSupplier sessionWatch(Context context) {
        String id = context.header(AUTHORIZATION) == null ? SessionCookie.read(context) : null;
        boolean inSession = id != null && sessions.find(id, false) != null;
        return inSession ? () -> sessions.find(Objects.requireNonNull(id), false) != null : () -> true;
    }

    /** The session that a request of the console is made in; null when there is none. */
    private @Nullable Session session(Context context) throws Refusal {
        String id = SessionCookie.read(context);
        Session session = id == null ? null : sessions.find(id, SessionCookie.isByUser(context));
        if (session != null) {
            RequestOrigin.requireConsole(context);
        }
        return session;
    }

    /** Changes with the password, or with the directory that knows the user; null for a user who has none. */
    private @Nullable String printOf(String name, Configuration configuration, @Nullable RunningBroker broker) {
        Singletons values = configuration.single(Singletons.class);
        if (name.equals(values.adminUserId())) {
            String verifier = values.adminUserPassword().verifier();
            return verifier.isEmpty() ? null : tokens.printOf(verifier);
        }
        User user = userNamed(name, broker);
        if (user == null) {
            return directoryPrint(configuration);
        }
        if (user.password() != null) {
            return tokens.printOf(user.password().encoded());
        }
        return user.scram() == null
                ? null
                : tokens.printOf(Base64.getEncoder().encodeToString(user.scram().storedKey()));
    }

    /** Of tokens of the directory's users, who are looked up again at each request; null without a directory. */
    private @Nullable String directoryPrint(Configuration configuration) {
        LDAP ldap = configuration.single(LDAP.class);
        boolean asked = ldap.isActive() && sources(configuration).contains(LoginSource.LDAP);
        return asked ? tokens.printOf("directory " + ldap.url() + " " + ldap.usersBelow()) : null;
    }

    private static Set<LoginSource> sources(Configuration configuration) {
        return profile(configuration)
                .map(SecurityProfile::authenticators)
                .filter(named -> !named.isEmpty())
                .orElse(EnumSet.allOf(LoginSource.class));
    }

    private static String tokenProfile(Configuration configuration) {
        return profile(configuration).map(SecurityProfile::tokenProfile).orElse("");
    }

    private static Optional<SecurityProfile> profile(Configuration configuration) {
        return configuration.find(
                SecurityProfile.class, configuration.single(AdminEndpoint.class).securityProfile());
    }

    private static @Nullable User userNamed(String name, @Nullable RunningBroker broker) {
        BrokerUsers users = broker == null ? null : broker.users();
        return users == null ? null : users.everybody().userOf(name);
    }

    private static Administrator mayDoEverything(String name, Context context, boolean byToken) {
        return new Administrator(name, Set.of(), address(context), commonName(context), byToken, true);
    }

    private static Administrator administrator(LoginVerdict.Accepted accepted, Context context, boolean byToken) {
        return new Administrator(
                accepted.identity().userName(),
                accepted.identity().groups(),
                address(context),
                commonName(context),
                byToken,
                false);
    }

    /** The name in the certificate that was shown and verified. */
    private static @Nullable String commonName(Context context) {
        Object shown = context.req().getAttribute(CERTIFICATES);
        return shown instanceof X509Certificate[] chain && chain.length > 0 ? CommonName.of(chain[0]) : null;
    }

    /** A token that a request brings, or that of its session. */
    private @Nullable String bearer(Context context) throws Refusal {
        if (context.header(AUTHORIZATION) != null) {
            return header(context);
        }
        Session session = session(context);
        return session == null ? null : session.token();
    }

    /** A token that a request brings in its header. */
    private static @Nullable String header(Context context) {
        String header = context.header(AUTHORIZATION);
        boolean is = header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length());
        return is ? header.substring(BEARER.length()).strip() : null;
    }

    private static ClientOrigin origin(Context context) {
        return new ClientOrigin(PLACE, address(context), null);
    }

    /** Where a request comes from; the server gives an IP address, so no name service is asked. */
    public static InetAddress address(Context context) {
        String text = context.req().getRemoteAddr();
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("'" + text + "' is not an address", e);
        }
    }

    /**
     * A token.
     *
     * @param endMs until when it is good, in milliseconds since 1970
     */
    record Issued(String token, long endMs) {
        @Override
        public String toString() {
            return "Issued[endMs=" + endMs + "]";
        }
    }
}
