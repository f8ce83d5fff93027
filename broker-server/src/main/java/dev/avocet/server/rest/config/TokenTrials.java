package dev.avocet.server.rest.config;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.policy.PolicyClaims;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.ltpa.LtpaTrial;
import dev.avocet.server.oauth.TokenTrial;
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
import dev.avocet.server.rest.request.RouteHandler;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Tries the OAuth server of an OAuthProfile, the keys of an LTPAProfile, and a token. Thread-safe. */
public final class TokenTrials {
    private static final String NAME = "Name";
    private static final String TOKEN = "Token";

    private final ConfigurationStore objects;
    private final PresentBroker broker;
    private final AuditLog audit;
    /** A trial waits for another server, and threads of the administration are few. */
    private final Semaphore turn = new Semaphore(1);

    public TokenTrials(ConfigurationStore objects, PresentBroker broker, AuditLog audit) {
        this.objects = objects;
        this.broker = broker;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                route(
                        "/service/oauth/test",
                        "Tries the OAuth server of the OAuthProfile Name, and whether Token is good if it is given; nothing is"
                                + " changed",
                        this::testOAuth),
                route(
                        "/service/ltpa/test",
                        "Tries the keys of the LTPAProfile Name, and whether Token is good if it is given; nothing is changed",
                        this::testLtpa));
    }

    private static RestRoute route(String path, String description, RouteHandler handler) {
        return new RestRoute(HandlerType.POST, path, description, Set.of(AdminAction.CONFIGURE), handler)
                .bringing(RouteBody.of(Map.of(NAME, RouteBody.TEXT, TOKEN, RouteBody.TEXT), List.of(NAME)));
    }

    private void testOAuth(Context context, Administrator who) throws Refusal {
        Asked asked = asked(context, "an OAuthProfile");
        Configuration current = objects.current();
        OAuthProfile profile = profile(current, OAuthProfile.class, asked);
        RunningBroker running = running();
        if (!turn.tryAcquire()) {
            throw new Refusal(Code.NOT_NOW, "another test of an OAuth server is running; try again in a moment");
        }
        try {
            TokenTrial trial = new TokenTrial(
                    profile, PolicyClaims.in(current), running.files().folder(), running.fips(), new SystemClock());
            List<Map<String, Object>> steps = trial.run(asked.token()).stream()
                    .map(step -> shown(step.name(), step.done(), step.detail()))
                    .toList();
            answer(context, who, "OAuthProfile '" + asked.name() + "'", steps);
        } finally {
            turn.release();
        }
    }

    private void testLtpa(Context context, Administrator who) throws Refusal {
        Asked asked = asked(context, "an LTPAProfile");
        LTPAProfile profile = profile(objects.current(), LTPAProfile.class, asked);
        RunningBroker running = running();
        LtpaTrial trial = new LtpaTrial(profile, running.files().folder(), running.fips(), new SystemClock());
        List<Map<String, Object>> steps = trial.run(asked.token()).stream()
                .map(step -> shown(step.name(), step.done(), step.detail()))
                .toList();
        answer(context, who, "LTPAProfile '" + asked.name() + "'", steps);
    }

    private static Asked asked(Context context, String kind) throws Refusal {
        Map<String, @Nullable Object> body = RequestBody.object(context);
        for (String member : body.keySet()) {
            if (!member.equals(NAME) && !member.equals(TOKEN)) {
                throw new Refusal(Code.INVALID, "'" + member + "' is not known here; give Name and Token");
            }
        }
        if (!(body.get(NAME) instanceof String name)) {
            throw new Refusal(Code.INVALID, NAME + ": give the name of " + kind + " in quotes");
        }
        Object token = body.get(TOKEN);
        if (token != null && !(token instanceof String)) {
            throw new Refusal(Code.INVALID, TOKEN + ": must be text in quotes");
        }
        return new Asked(name, (String) token);
    }

    private static <T extends ConfigurationObject> T profile(Configuration current, Class<T> type, Asked asked)
            throws Refusal {
        return current.find(type, asked.name())
                .orElseThrow(() ->
                        new Refusal(Code.NOT_FOUND, "there is no " + type.getSimpleName() + " '" + asked.name() + "'"));
    }

    private RunningBroker running() throws Refusal {
        RunningBroker running = broker.get();
        if (running == null) {
            throw broker.absent();
        }
        return running;
    }

    private void answer(Context context, Administrator who, String tested, List<Map<String, Object>> steps) {
        audit.did(who, "tested " + tested);
        boolean works = steps.stream().allMatch(step -> Boolean.TRUE.equals(step.get("Works")));
        Answer.objects(context, Map.of("Works", works, "Steps", steps));
    }

    private static Map<String, Object> shown(String name, boolean done, String detail) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("Step", name);
        shown.put("Works", done);
        shown.put("Detail", detail);
        return shown;
    }

    /** @param token never logged */
    private record Asked(String name, @Nullable String token) {
        @Override
        public String toString() {
            return "Asked[name=" + name + "]";
        }
    }
}
