package dev.avocet.server.rest.config;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.directory.DirectoryTrial;
import dev.avocet.server.directory.DirectoryTrial.Step;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Tries the directory, as the LDAP object describes it or would with other properties. Thread-safe. */
public final class DirectoryRequests {
    private static final String PROPERTIES = "LDAP";
    private static final String USER = "UserID";
    private static final String PASSWORD = "Password";
    private static final List<String> MEMBERS = List.of(PROPERTIES, USER, PASSWORD);

    private final ConfigurationStore objects;
    private final PresentBroker broker;
    private final AuditLog audit;
    /** A trial waits for another server, and threads of the administration are few. */
    private final Semaphore turn = new Semaphore(1);

    /** @param broker null while none serves clients */
    public DirectoryRequests(ConfigurationStore objects, PresentBroker broker, AuditLog audit) {
        this.objects = objects;
        this.broker = broker;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                        HandlerType.POST,
                        "/service/ldap/test",
                        "Tries the directory: each server, BindDN, where users and groups are, and the login of UserID with"
                                + " Password if they are given. LDAP holds properties to try in place of those in force;"
                                + " nothing is changed",
                        Set.of(AdminAction.CONFIGURE),
                        this::test)
                .bringing(RouteBody.of(
                        Map.of(PROPERTIES, Map.of("type", "object"), USER, RouteBody.TEXT, PASSWORD, RouteBody.TEXT),
                        List.of())));
    }

    private void test(Context context, Administrator who) throws Refusal, ConfigurationRefusedException {
        Map<String, @Nullable Object> body = RequestBody.object(context);
        for (Map.Entry<String, @Nullable Object> member : body.entrySet()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw new Refusal(
                        Code.INVALID,
                        "'" + member.getKey() + "' is not known here; give " + String.join(", ", MEMBERS));
            }
        }
        String user = text(body, USER);
        String password = text(body, PASSWORD);
        if ((user == null) != (password == null)) {
            throw new Refusal(Code.INVALID, "give both " + USER + " and " + PASSWORD + ", or neither");
        }
        report(context, who, wanted(body.getOrDefault(PROPERTIES, Map.of())), user, password);
    }

    /**
     * Tries an LDAP object that is not in force, as a change with {@code Verify} asks.
     *
     * @param properties those that differ from the object in force
     */
    void verify(Context context, Administrator who, Map<String, @Nullable Object> properties)
            throws Refusal, ConfigurationRefusedException {
        report(context, who, wanted(properties), null, null);
    }

    private LDAP wanted(@Nullable Object properties) throws Refusal, ConfigurationRefusedException {
        if (!(properties instanceof Map<?, ?> given)) {
            throw new Refusal(Code.INVALID, PROPERTIES + ": give an object in braces");
        }
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        given.forEach((name, value) -> named.put(String.valueOf(name), value));
        Configuration next = objects.preview(
                List.of(ConfigurationChange.put(ObjectTypes.of(LDAP.class).keyOf(""), named)));
        return next.single(LDAP.class);
    }

    private void report(Context context, Administrator who, LDAP ldap, @Nullable String user, @Nullable String password)
            throws Refusal {
        RunningBroker running = broker.get();
        if (running == null) {
            throw broker.absent();
        }
        if (!turn.tryAcquire()) {
            throw new Refusal(Code.NOT_NOW, "another test of the directory is running; try again in a moment");
        }
        try {
            DirectoryTrial trial = new DirectoryTrial(ldap, running.files().folder(), new SystemClock());
            List<Step> steps = new ArrayList<>(trial.tryServers());
            if (user != null && password != null && steps.stream().anyMatch(Step::done)) {
                steps.add(trial.tryLogin(user, password.getBytes(StandardCharsets.UTF_8)));
            }
            audit.did(who, "tested the directory");
            boolean good = steps.stream().allMatch(Step::done);
            Answer.objects(
                    context,
                    Map.of(
                            "Works",
                            good,
                            "Steps",
                            steps.stream().map(DirectoryRequests::shown).toList()));
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

    private static @Nullable String text(Map<String, @Nullable Object> body, String member) throws Refusal {
        Object value = body.get(member);
        if (value != null && !(value instanceof String)) {
            throw new Refusal(Code.INVALID, member + ": must be text in quotes");
        }
        return (String) value;
    }
}
