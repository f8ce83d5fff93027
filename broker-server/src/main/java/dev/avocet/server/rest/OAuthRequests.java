package dev.avocet.server.rest;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.AdminAction;
import dev.avocet.core.config.object.OAuthProfile;
import dev.avocet.core.policy.PolicyClaims;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.oauth.TokenTrial;
import dev.avocet.server.oauth.TokenTrial.Step;
import dev.avocet.server.objects.ConfigurationStore;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Tries the OAuth server of an OAuthProfile. Thread-safe. */
final class OAuthRequests {
    private static final String NAME = "Name";
    private static final String TOKEN = "Token";

    private final ConfigurationStore objects;
    private final PresentBroker broker;
    private final AuditLog audit;
    /** A trial waits for another server, and threads of the administration are few. */
    private final Semaphore turn = new Semaphore(1);

    OAuthRequests(ConfigurationStore objects, PresentBroker broker, AuditLog audit) {
        this.objects = objects;
        this.broker = broker;
        this.audit = audit;
    }

    List<Route> routes() {
        return List.of(new Route(
                        HandlerType.POST,
                        "/service/oauth/test",
                        "Tries the OAuth server of the OAuthProfile Name, and whether Token is good if it is given; nothing is"
                                + " changed",
                        Set.of(AdminAction.CONFIGURE),
                        this::test)
                .bringing(RouteBody.of(Map.of(NAME, RouteBody.TEXT, TOKEN, RouteBody.TEXT), List.of(NAME))));
    }

    private void test(Context context, Administrator who) throws Refusal {
        Map<String, @Nullable Object> body = RequestBody.object(context);
        for (String member : body.keySet()) {
            if (!member.equals(NAME) && !member.equals(TOKEN)) {
                throw new Refusal(Code.INVALID, "'" + member + "' is not known here; give Name and Token");
            }
        }
        if (!(body.get(NAME) instanceof String name)) {
            throw new Refusal(Code.INVALID, NAME + ": give the name of an OAuthProfile in quotes");
        }
        Object token = body.get(TOKEN);
        if (token != null && !(token instanceof String)) {
            throw new Refusal(Code.INVALID, TOKEN + ": must be text in quotes");
        }
        Configuration current = objects.current();
        OAuthProfile profile = current.find(OAuthProfile.class, name)
                .orElseThrow(() -> new Refusal(Code.NOT_FOUND, "there is no OAuthProfile '" + name + "'"));
        RunningBroker running = broker.get();
        if (running == null) {
            throw broker.absent();
        }
        if (!turn.tryAcquire()) {
            throw new Refusal(Code.NOT_NOW, "another test of an OAuth server is running; try again in a moment");
        }
        try {
            List<Step> steps = new TokenTrial(
                            profile, PolicyClaims.in(current), running.files().folder(), new SystemClock())
                    .run((String) token);
            audit.did(who, "tested OAuthProfile '" + name + "'");
            Answer.objects(
                    context,
                    Map.of(
                            "Works",
                            steps.stream().allMatch(Step::done),
                            "Steps",
                            steps.stream().map(OAuthRequests::shown).toList()));
        } finally {
            turn.release();
        }
    }

    private static Map<String, Object> shown(Step step) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("Step", step.name());
        shown.put("Works", step.done());
        shown.put("Detail", step.detail());
        return shown;
    }
}
