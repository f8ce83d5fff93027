package dev.avocet.server.rest;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.Singletons;
import dev.avocet.core.security.ClientOrigin;
import dev.avocet.core.security.LoginThrottle;
import dev.avocet.core.security.LoginThrottleOptions;
import dev.avocet.core.security.User;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.RunningBroker;
import io.javalin.http.Context;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out who makes a request. While {@code AdminUserPassword} is not set, whoever is on this machine may do everything; later nobody
 * may without a password. Thread-safe.
 */
final class AdminLogin {
    private static final Logger LOG = LoggerFactory.getLogger(AdminLogin.class);
    private static final String PLACE = "administration";

    private final AdminPassword adminPassword = new AdminPassword(new SecureRandom());
    private final LoginThrottle throttle;
    private final AtomicBoolean warned = new AtomicBoolean();

    AdminLogin(boolean throttled) {
        this.throttle = new LoginThrottle(
                throttled ? LoginThrottleOptions.DEFAULT : LoginThrottleOptions.OFF, new SystemClock());
    }

    /** How long a request has to wait for others that failed, in milliseconds. Who must gets a place, which is given back by {@link #leave}. */
    long delayMs(Context context) throws Refusal {
        Credentials credentials = Credentials.of(context);
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
        Credentials credentials = Credentials.of(context);
        Singletons values = configuration.single(Singletons.class);
        if (credentials == null) {
            return withoutPassword(context, values);
        }
        Administrator who = find(credentials, values, broker, address(context));
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
            LOG.warn("Whoever is on this machine may administer the broker without a password; set AdminUserPassword");
        }
        return new Administrator(null, Set.of(), address(context), true);
    }

    private @Nullable Administrator find(
            Credentials given, Singletons values, @Nullable RunningBroker broker, InetAddress address) {
        if (given.name().equals(values.adminUserId())) {
            return adminPassword.isRight(values, given.password())
                    ? new Administrator(given.name(), Set.of(), address, true)
                    : null;
        }
        User user = broker == null
                ? null
                : broker.userOf(given.name(), given.password().getBytes(StandardCharsets.UTF_8));
        return user == null ? null : new Administrator(user.name(), user.groups(), address, false);
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
}
