package dev.avocet.server.rest;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.AdminEndpoint;
import dev.avocet.core.config.object.SecurityProfile;
import dev.avocet.core.config.object.Singletons;
import dev.avocet.core.security.ClientOrigin;
import dev.avocet.core.security.LoginThrottle;
import dev.avocet.core.security.LoginThrottleOptions;
import dev.avocet.core.security.User;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.CommonName;
import dev.avocet.server.broker.BrokerUsers;
import dev.avocet.server.broker.RunningBroker;
import io.javalin.http.Context;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out who makes a request. While {@code AdminUserPassword} is not set, whoever is on this machine may do
 * everything; later nobody may without a password. Thread-safe.
 */
final class AdminLogin {
    private static final Logger LOG = LoggerFactory.getLogger(AdminLogin.class);
    private static final String PLACE = "administration";
    private static final String BEARER = "Bearer ";
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";
    private static final long MS_PER_SECOND = 1_000;

    private final AdminPassword adminPassword = new AdminPassword(new SecureRandom());
    private final Tokens tokens = new Tokens(new SecureRandom());
    private final Clock clock = new SystemClock();
    private final LoginThrottle throttle;
    private final AtomicBoolean warned = new AtomicBoolean();

    AdminLogin(boolean throttled) {
        this.throttle = new LoginThrottle(
                throttled ? LoginThrottleOptions.DEFAULT : LoginThrottleOptions.OFF, new SystemClock());
    }

    /**
     * How long a request has to wait for others that failed, in milliseconds. Who must gets a place, which is given
     * back by {@link #leave}.
     */
    long delayMs(Context context) throws Refusal {
        Credentials credentials = bearer(context) == null ? Credentials.of(context) : null;
        ClientOrigin origin = origin(context);
        long delayMs = credentials == null ? 0 : throttle.delayMs(origin, credentials.name());
        if (delayMs > 0 && !throttle.enter(origin)) {
            throw new Refusal(Code.TOO_MANY_FAILURES, "too many logins have failed; try again in a moment");
        }
        return delayMs;
    }

    void leave(Context context) {
        throttle.leave(origin(context));
    }

    /** @param broker knows the users of clients, who may administer when policies say so; null while it starts */
    Administrator admit(Context context, Configuration configuration, @Nullable RunningBroker broker) throws Refusal {
        Singletons values = configuration.single(Singletons.class);
        String token = bearer(context);
        if (token != null) {
            return byToken(context, token, values, broker);
        }
        Credentials credentials = Credentials.of(context);
        if (credentials == null) {
            Administrator shown = byCertificate(context, configuration, broker);
            return shown == null ? withoutPassword(context, values) : shown;
        }
        Administrator who = find(credentials, values, broker, context);
        if (who == null) {
            throttle.failed(origin(context), credentials.name());
            throw new Refusal(Code.NOT_AUTHENTICATED, "the user name or the password is wrong");
        }
        throttle.succeeded(credentials.name());
        return who;
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

    private @Nullable Administrator find(
            Credentials given, Singletons values, @Nullable RunningBroker broker, Context context) {
        if (given.name().equals(values.adminUserId())) {
            return adminPassword.isRight(values, given.password())
                    ? new Administrator(given.name(), Set.of(), address(context), commonName(context), false, true)
                    : null;
        }
        User user = broker == null
                ? null
                : broker.userOf(given.name(), given.password().getBytes(StandardCharsets.UTF_8));
        return user == null ? null : administrator(user, context, false);
    }

    /** Who shows a certificate, where the AdminEndpoint is content with that; null otherwise. */
    private static @Nullable Administrator byCertificate(
            Context context, Configuration configuration, @Nullable RunningBroker broker) {
        String name = commonName(context);
        boolean isEnough = configuration
                .find(
                        SecurityProfile.class,
                        configuration.single(AdminEndpoint.class).securityProfile())
                .filter(profile -> profile.useClientCertificate() && !profile.usePasswordAuthentication())
                .isPresent();
        if (name == null || !isEnough) {
            return null;
        }
        User user = userNamed(name, broker);
        return new Administrator(name, user == null ? Set.of() : user.groups(), address(context), name, false, false);
    }

    private Administrator byToken(Context context, String token, Singletons values, @Nullable RunningBroker broker)
            throws Refusal {
        Tokens.Claim claim = tokens.read(token, clock.wallTimeMs());
        if (claim != null && claim.print().equals(printOf(claim.name(), values, broker))) {
            if (claim.name().equals(values.adminUserId())) {
                return new Administrator(claim.name(), Set.of(), address(context), commonName(context), true, true);
            }
            User user = userNamed(claim.name(), broker);
            if (user != null) {
                return administrator(user, context, true);
            }
        }
        throw new Refusal(Code.NOT_AUTHENTICATED, "the token is not good any more; get another with your password");
    }

    /** A token for somebody who has proved the name by a password. */
    Issued issue(String name, long lifetimeSeconds, Configuration configuration, @Nullable RunningBroker broker)
            throws Refusal {
        String print = printOf(name, configuration.single(Singletons.class), broker);
        if (print == null) {
            throw new Refusal(Code.NOT_AUTHORIZED, "a token is given for a user name and a password only");
        }
        long endMs = clock.wallTimeMs() + lifetimeSeconds * MS_PER_SECOND;
        return new Issued(tokens.issue(new Tokens.Claim(name, print, endMs)), endMs);
    }

    /** Changes with the password; null for somebody who has none. */
    private @Nullable String printOf(String name, Singletons values, @Nullable RunningBroker broker) {
        if (name.equals(values.adminUserId())) {
            String verifier = values.adminUserPassword().verifier();
            return verifier.isEmpty() ? null : tokens.printOf(verifier);
        }
        User user = userNamed(name, broker);
        if (user == null) {
            return null;
        }
        if (user.password() != null) {
            return tokens.printOf(user.password().encoded());
        }
        return user.scram() == null
                ? null
                : tokens.printOf(Base64.getEncoder().encodeToString(user.scram().storedKey()));
    }

    private static @Nullable User userNamed(String name, @Nullable RunningBroker broker) {
        BrokerUsers users = broker == null ? null : broker.users();
        return users == null ? null : users.everybody().userOf(name);
    }

    private static Administrator administrator(User user, Context context, boolean byToken) {
        return new Administrator(user.name(), user.groups(), address(context), commonName(context), byToken, false);
    }

    /** The name in the certificate that was shown and verified. */
    private static @Nullable String commonName(Context context) {
        Object shown = context.req().getAttribute(CERTIFICATES);
        return shown instanceof X509Certificate[] chain && chain.length > 0 ? CommonName.of(chain[0]) : null;
    }

    private static @Nullable String bearer(Context context) {
        String header = context.header("Authorization");
        boolean is = header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length());
        return is ? header.substring(BEARER.length()).strip() : null;
    }

    private static ClientOrigin origin(Context context) {
        return new ClientOrigin(PLACE, address(context), null);
    }

    /** Where a request comes from; the server gives an IP address, so no name service is asked. */
    static InetAddress address(Context context) {
        String text = context.req().getRemoteAddr();
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("'" + text + "' is no address", e);
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
