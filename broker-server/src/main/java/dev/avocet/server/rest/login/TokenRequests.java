package dev.avocet.server.rest.login;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives tokens to those who have proved their password. */
public final class TokenRequests {
    private static final Set<AdminAction> ANY = Set.of();
    private static final String LIFETIME = "LifetimeSeconds";
    private static final long USUAL_S = Duration.ofHours(8).toSeconds();
    private static final long SHORTEST_S = 60;
    private static final long LONGEST_S = Duration.ofDays(30).toSeconds();

    private final AdminLogin login;
    private final ConfigurationStore objects;
    private final PresentBroker broker;
    private final AuditLog audit;

    /** @param broker null while none serves clients */
    public TokenRequests(AdminLogin login, ConfigurationStore objects, PresentBroker broker, AuditLog audit) {
        this.login = login;
        this.objects = objects;
        this.broker = broker;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                        HandlerType.POST,
                        "/service/token",
                        "A token that stands for the password for LifetimeSeconds, or until that password changes or the broker restarts",
                        ANY,
                        this::issue)
                .bringing(RouteBody.of(Map.of(LIFETIME, RouteBody.number(SHORTEST_S, LONGEST_S)), List.of())));
    }

    private void issue(Context context, Administrator who) throws Refusal {
        long lifetimeSeconds = lifetimeSeconds(RequestBody.object(context));
        String name = who.name();
        if (name == null || who.byToken()) {
            throw new Refusal(Code.NOT_AUTHORIZED, "a token is given for a user name and a password only");
        }
        AdminLogin.Issued issued = login.issue(name, lifetimeSeconds, objects.current(), broker.get());
        audit.did(who, "got a token until " + Instant.ofEpochMilli(issued.endMs()));
        Answer.objects(
                context,
                Map.of(
                        "Token",
                        issued.token(),
                        "ExpiresAt",
                        Instant.ofEpochMilli(issued.endMs()).toString()));
    }

    private static long lifetimeSeconds(Map<String, @Nullable Object> given) throws Refusal {
        for (String member : given.keySet()) {
            if (!member.equals(LIFETIME)) {
                throw new Refusal(Code.INVALID, "'" + member + "' is not known here; there is " + LIFETIME);
            }
        }
        Object value = given.getOrDefault(LIFETIME, BigInteger.valueOf(USUAL_S));
        if (value instanceof BigInteger seconds
                && seconds.bitLength() < Long.SIZE
                && seconds.longValue() >= SHORTEST_S
                && seconds.longValue() <= LONGEST_S) {
            return seconds.longValue();
        }
        throw new Refusal(
                Code.INVALID, LIFETIME + ": must be a number of seconds from " + SHORTEST_S + " to " + LONGEST_S);
    }
}
