package dev.avocet.server.rest.login;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.console.Session;
import dev.avocet.server.console.SessionCookie;
import dev.avocet.server.console.Sessions;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Authorities;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.ListQuery;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sessions of the console: logs in, tells who is logged in, and logs out. */
public final class SessionRequests {
    private static final Set<AdminAction> ANY = Set.of();
    private static final String PATH = "/service/session";
    private static final String EVERYWHERE = "Everywhere";

    private final AdminLogin login;
    private final ConfigurationStore objects;
    private final PresentBroker broker;
    private final AuditLog audit;

    /** @param broker null while none serves clients */
    public SessionRequests(AdminLogin login, ConfigurationStore objects, PresentBroker broker, AuditLog audit) {
        this.login = login;
        this.objects = objects;
        this.broker = broker;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(HandlerType.GET, PATH, "Who asks, and what that user may do", ANY, this::tell),
                new RestRoute(
                                HandlerType.POST,
                                PATH,
                                "Begins a session of the console for the user whom Authorization names",
                                ANY,
                                this::begin)
                        .bringing(RouteBody.NONE),
                new RestRoute(
                        HandlerType.DELETE,
                        PATH,
                        "Ends the session, or with Everywhere=true all sessions of its user",
                        ANY,
                        this::end));
    }

    private void tell(Context context, Administrator who) {
        answer(context, who, who.byToken());
    }

    private void begin(Context context, Administrator who) throws Refusal {
        String name = who.name();
        if (!SessionCookie.isOfConsole(context) || context.header("Authorization") == null || name == null) {
            throw new Refusal(
                    Code.NOT_UNDERSTOOD,
                    "a session is for a user of the console; bring " + SessionCookie.HEADER
                            + ", and a user name with a password, or a token, in Authorization");
        }
        login.closeSession(context);
        Session begun = login.openSession(context, name, objects.current(), broker.get());
        SessionCookie.set(context, begun);
        audit.did(who, "logged in at the console");
        answer(context, who, true);
    }

    private void end(Context context, Administrator who) throws Refusal {
        String name = who.name();
        if (ListQuery.isSet(context, EVERYWHERE) && name != null) {
            int closed = login.closeSessionsOf(name);
            audit.did(who, "logged out at the console everywhere, which ended " + closed + " sessions");
        } else if (login.closeSession(context)) {
            audit.did(who, "logged out at the console");
        }
        SessionCookie.clear(context);
        Answer.done(context, Code.DONE, "logged out", Map.of());
    }

    /** @param inSession whether there is something to log out of */
    private void answer(Context context, Administrator who, boolean inSession) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("User", who.name() == null ? "" : who.name());
        answer.put(
                "Authorities",
                Authorities.of(who, objects.current()).stream()
                        .map(AdminAction::toString)
                        .sorted()
                        .toList());
        answer.put("Session", inSession);
        answer.put("IdleTimeoutSeconds", Sessions.LONGEST_IDLE.toSeconds());
        Answer.objects(context, answer);
    }
}
