package dev.avocet.server.rest.service;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.admin.Health;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.content.ConnectionFacts;
import dev.avocet.server.broker.endpoint.EndpointState;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Authorities;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PairControl;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells how the broker is, and does what is no configuration. */
public final class ServiceRequests {
    private static final Set<AdminAction> ANY = Set.of();
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final Set<String> FILTERS = Set.of("ClientID", "ExactClientID", "ClientAddress", "UserID");
    private static final List<String> NOT_THERE = List.of("Cluster", "Plugin", "MQConnectivity", "SNMP");

    private final ConfigurationStore objects;
    private final ProcessFacts process;
    private final PresentBroker broker;
    private final Supplier<@Nullable PairControl> pair;
    private final AuditLog audit;
    private final Clock clock = new SystemClock();

    /**
     * Those of a process.
     *
     * @param broker null while none serves clients
     * @param pair null where the process is alone
     */
    public ServiceRequests(
            ConfigurationStore objects,
            ProcessFacts process,
            PresentBroker broker,
            Supplier<@Nullable PairControl> pair,
            AuditLog audit) {
        this.objects = objects;
        this.process = process;
        this.broker = broker;
        this.pair = pair;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.GET, "/service/status", "How the broker and its parts are", ANY, this::status),
                new RestRoute(HandlerType.GET, "/service/status/{Part}", "How one part is", ANY, this::statusOf),
                new RestRoute(
                                HandlerType.POST,
                                "/service/close/connection",
                                "Closes the connections that fit ClientID, ClientAddress and UserID, in which * stands for any characters,"
                                        + " and ExactClientID, in which it does not",
                                SERVE,
                                this::closeConnections)
                        .bringing(RouteBody.of(
                                Map.of(
                                        "ClientID", RouteBody.TEXT,
                                        "ExactClientID", RouteBody.TEXT,
                                        "ClientAddress", RouteBody.TEXT,
                                        "UserID", RouteBody.TEXT),
                                List.of())),
                new RestRoute(
                                HandlerType.POST,
                                "/service/trace/flush",
                                "Answers when everything that was traced before is in the file",
                                SERVE,
                                this::flushTrace)
                        .bringing(RouteBody.NONE));
    }

    private void status(Context context, Administrator who) {
        Answer.objects(context, parts());
    }

    private void statusOf(Context context, Administrator who) throws Refusal {
        String name = context.pathParam("Part");
        Object part = parts().get(name);
        if (part == null) {
            throw new Refusal(
                    Code.NOT_FOUND,
                    "there is no part '" + name + "'; there are " + String.join(", ", parts().keySet()));
        }
        Answer.objects(context, Map.of(name, part));
    }

    private Map<String, Object> parts() {
        Map<String, Object> parts = new LinkedHashMap<>();
        parts.put("Server", server());
        RunningBroker running = broker.get();
        Map<String, Object> endpoints = new LinkedHashMap<>();
        if (running != null) {
            running.objectEndpoints().forEach(state -> endpoints.put(state.name(), endpoint(state)));
        }
        parts.put("Endpoint", endpoints);
        parts.put(PairRequests.PART, PairRequests.described(pair.get()));
        NOT_THERE.forEach(part -> parts.put(part, Map.of("Status", "Inactive", "Enabled", false)));
        return parts;
    }

    private Map<String, Object> server() {
        Health health = process.health();
        Singletons values = objects.current().single(Singletons.class);
        Duration uptime = Duration.ofMillis(health.uptimeMs());
        boolean failed = health.status() == Health.Status.STORE_FAILED;
        Map<String, Object> server = new LinkedHashMap<>();
        RunningBroker running = broker.get();
        server.put("Name", running == null ? values.serverName() : running.serverName());
        server.put("UID", values.serverUid());
        server.put("Status", status(health.status()));
        server.put("State", state(health.status()));
        server.put("StateDescription", stateDescription(health.status()));
        server.put("ServerTime", Instant.ofEpochMilli(clock.wallTimeMs()).toString());
        server.put("UpTimeSeconds", uptime.toSeconds());
        server.put(
                "UpTimeDescription",
                uptime.toDays() + " days " + uptime.toHoursPart() + " hours " + uptime.toMinutesPart() + " minutes "
                        + uptime.toSecondsPart() + " seconds");
        server.put("Version", health.version());
        server.put("ConfigurationVersion", objects.current().version());
        server.put("ErrorCode", failed ? 1L : 0L);
        server.put("ErrorMessage", failed ? "the store has failed; the log says more" : "");
        return server;
    }

    private static String status(Health.Status status) {
        return switch (status) {
            case STARTING -> "Initializing";
            case RUNNING, MAINTENANCE -> "Running";
            case STANDBY -> "Standby";
            case STOPPING -> "Stopping";
            case STORE_FAILED -> "Stopping";
        };
    }

    /** The numbers of the reference product. */
    private static long state(Health.Status status) {
        return switch (status) {
            case STARTING -> 0;
            case RUNNING -> 1;
            case STOPPING, STORE_FAILED -> 2;
            case STANDBY -> 10;
            case MAINTENANCE -> 9;
        };
    }

    private static String stateDescription(Health.Status status) {
        return switch (status) {
            case RUNNING -> "Running (production)";
            case MAINTENANCE -> "Running (maintenance)";
            case STARTING, STANDBY, STOPPING, STORE_FAILED -> status(status);
        };
    }

    private Map<String, Object> endpoint(EndpointState state) {
        InetSocketAddress address = state.address();
        Map<String, Object> endpoint = new LinkedHashMap<>();
        endpoint.put("Enabled", state.enabled());
        boolean isMaintenance = objects.current().single(Singletons.class).isMaintenance();
        endpoint.put(
                "Status",
                address != null
                        ? "Listening"
                        : !state.enabled() ? "Disabled" : isMaintenance ? "Maintenance" : "Failed");
        endpoint.put("Address", address == null ? "" : address.getAddress().getHostAddress());
        endpoint.put("Port", address == null ? 0L : (long) address.getPort());
        endpoint.put("ErrorMessage", Objects.requireNonNullElse(state.problem(), ""));
        return endpoint;
    }

    private void closeConnections(Context context, Administrator who) throws Refusal {
        Map<String, @Nullable Object> filters = RequestBody.object(context);
        for (Map.Entry<String, @Nullable Object> filter : filters.entrySet()) {
            if (!FILTERS.contains(filter.getKey()) || !(filter.getValue() instanceof String)) {
                throw new Refusal(
                        Code.INVALID,
                        filter.getKey()
                                + ": give ClientID, ExactClientID, ClientAddress or UserID, each as text in quotes");
            }
        }
        if (filters.isEmpty()) {
            throw new Refusal(Code.INVALID, "say whose: ClientID, ClientAddress or UserID; * for all");
        }
        RunningBroker running = broker.get();
        if (running == null) {
            throw broker.absent();
        }
        int closed = running.closeConnections(unwanted(filters));
        audit.did(who, "closed " + closed + " connections of " + filters);
        Answer.done(
                context,
                closed == 0 ? Code.NOTHING_CLOSED : Code.CLOSED,
                closed == 0 ? "No connection fits." : closed + " connections were closed.",
                Map.of("Closed", (long) closed));
    }

    private void flushTrace(Context context, Administrator who) throws Refusal {
        RunningBroker running = broker.get();
        if (running == null) {
            throw broker.absent();
        }
        try {
            running.flushTrace();
        } catch (IOException e) {
            throw new Refusal(Code.NOT_NOW, String.valueOf(e.getMessage()));
        }
        audit.did(who, "flushed the trace");
        Answer.done(context, Code.DONE, "The trace is in its file.", Map.of());
    }

    private static Predicate<ConnectionFacts> unwanted(Map<String, @Nullable Object> filters) {
        Predicate<String> clientId = filter(filters.get("ClientID"));
        Object exactly = filters.get("ExactClientID");
        Predicate<String> address = filter(filters.get("ClientAddress"));
        Predicate<String> user = filter(filters.get("UserID"));
        return connection -> clientId.test(connection.clientId())
                && (exactly == null || exactly.equals(connection.clientId()))
                && address.test(textOf(connection.address()))
                && user.test(Objects.requireNonNullElse(connection.userName(), ""));
    }

    private static Predicate<String> filter(@Nullable Object pattern) {
        return pattern instanceof String text ? Authorities.pattern(text).asMatchPredicate() : value -> true;
    }

    private static String textOf(@Nullable InetAddress address) {
        return address == null ? "" : address.getHostAddress();
    }
}
