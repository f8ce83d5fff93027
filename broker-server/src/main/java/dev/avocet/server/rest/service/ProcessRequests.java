package dev.avocet.server.rest.service;

import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.names.NearestName;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import dev.avocet.server.system.ProcessReport;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stops the process, has it started again, and tells what is needed to find the cause of a problem. */
public final class ProcessRequests {
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final Set<String> RESTART_MEMBERS = Set.of("Service", "CleanStore", MaintenanceMode.MEMBER);
    private static final Set<String> ACTIONS = Set.of("start", "stop", "restart");
    private static final int ACCEPTED = 202;
    private static final String STARTUP = "startup";

    private final Supplier<@Nullable ProcessControl> control;
    private final MaintenanceMode maintenance;
    private final AuditLog audit;

    /** @param control null where the process cannot be ended */
    public ProcessRequests(Supplier<@Nullable ProcessControl> control, MaintenanceMode maintenance, AuditLog audit) {
        this.control = control;
        this.maintenance = maintenance;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.GET,
                        "/service/diagnostics/" + STARTUP,
                        "The startup file as it is in effect, without its secrets",
                        SERVE,
                        (context, who) -> Answer.document(context, control().startup())), // before the other parts
                new RestRoute(
                                HandlerType.GET,
                                "/service/diagnostics/{Part}",
                                "What the search for an error needs: " + reports(),
                                SERVE,
                                this::diagnose)
                        .answeringText(),
                new RestRoute(
                                HandlerType.POST,
                                "/service/maintenance",
                                "Maintenance start: closes all endpoints and connections, so that only administration is"
                                        + " served, also after a restart; stop: the endpoints listen again",
                                SERVE,
                                this::maintain)
                        .bringing(RouteBody.of(
                                Map.of(MaintenanceMode.MEMBER, MaintenanceMode.SCHEMA),
                                List.of(MaintenanceMode.MEMBER))),
                new RestRoute(
                        HandlerType.POST,
                        "/service/{Action}",
                        "stop, or restart, the Service Server in good order; with CleanStore the restart begins with an"
                                + " empty store, with Maintenance start or stop in that mode or out of it. Start is for"
                                + " the operating system",
                        SERVE,
                        this::act));
    }

    private void maintain(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Map<String, @Nullable Object> body = RequestBody.object(context);
        requireMembers(body, Set.of(MaintenanceMode.MEMBER));
        boolean begins = MaintenanceMode.begins(body.get(MaintenanceMode.MEMBER));
        boolean isNew = maintenance.set(begins, who);
        String state = begins
                ? "maintenance mode: endpoints do not listen, and only administration is served."
                : "production mode: endpoints listen.";
        Answer.done(context, Code.DONE, "The broker is " + (isNew ? "now in " : "in ") + state, Map.of());
    }

    private void act(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        String action = context.pathParam("Action");
        switch (action) {
            case "stop" -> stop(context, who);
            case "restart" -> restart(context, who);
            case "start" ->
                throw new Refusal(
                        Code.NOT_IMPLEMENTED, "this broker does not start itself; that is for the operating system");
            default ->
                throw new Refusal(
                        Code.NOT_FOUND, "there is no service '" + action + "'" + NearestName.advice(action, ACTIONS));
        }
    }

    private void stop(Context context, Administrator who) throws Refusal {
        requireServer(RequestBody.object(context), Set.of("Service"));
        ProcessControl process = control();
        audit.did(who, "stops the broker");
        process.stop();
        accepted(context, "The broker stops.");
    }

    private void restart(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Map<String, @Nullable Object> body = RequestBody.object(context);
        requireServer(body, RESTART_MEMBERS);
        boolean cleanStore = Boolean.TRUE.equals(body.get("CleanStore"));
        ProcessControl process = control();
        if (body.containsKey(MaintenanceMode.MEMBER)) {
            var unused = maintenance.set(MaintenanceMode.begins(body.get(MaintenanceMode.MEMBER)), who);
        }
        audit.did(who, "restarts the broker" + (cleanStore ? " with an empty store" : ""));
        try {
            process.restart(cleanStore);
        } catch (IOException e) {
            throw new Refusal(Code.NOT_NOW, "the data directory refused it: " + e.getMessage());
        }
        accepted(context, "The broker ends, to be started again.");
    }

    private static void requireMembers(Map<String, @Nullable Object> body, Set<String> known) throws Refusal {
        for (String name : body.keySet()) {
            if (!known.contains(name)) {
                throw new Refusal(
                        Code.INVALID,
                        name + ": give "
                                + String.join(" and ", known.stream().sorted().toList()));
            }
        }
    }

    private static void requireServer(Map<String, @Nullable Object> body, Set<String> known) throws Refusal {
        requireMembers(body, known);
        if (!"Server".equals(body.get("Service"))) {
            throw new Refusal(Code.INVALID, "Service: there is no other service than \"Server\"");
        }
        Object cleanStore = body.get("CleanStore");
        if (cleanStore != null && !(cleanStore instanceof Boolean)) {
            throw new Refusal(Code.INVALID, "CleanStore is true or false");
        }
    }

    private static void accepted(Context context, String message) {
        Answer.done(context, Code.DONE, message, Map.of());
        context.status(ACCEPTED);
    }

    private ProcessControl control() throws Refusal {
        ProcessControl process = control.get();
        if (process == null) {
            throw new Refusal(Code.NOT_IMPLEMENTED, "this process cannot be ended from here");
        }
        return process;
    }

    private void diagnose(Context context, Administrator who) throws Refusal {
        String name = context.pathParam("Part");
        ProcessReport part = ProcessReport.named(name)
                .orElseThrow(
                        () -> new Refusal(Code.NOT_FOUND, "there is no part '" + name + "'; there are " + parts()));
        audit.did(who, "looked at the diagnostics of the process: " + name);
        context.contentType("text/plain; charset=utf-8").result(part.text());
    }

    private static String parts() {
        return STARTUP + ", " + reports();
    }

    private static String reports() {
        return String.join(
                ", ",
                List.of(ProcessReport.values()).stream()
                        .map(part -> part.name().toLowerCase(Locale.ROOT))
                        .toList());
    }
}
