package dev.avocet.server.rest.messaging;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.trace.ConnectionTrace;
import dev.avocet.core.trace.LiveTrace;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.console.TraceStreams;
import dev.avocet.server.rest.login.AdminLogin;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.ListQuery;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Streams the trace of a client to who watches it. */
public final class LiveTraceRequests {
    private static final String STREAM = "text/event-stream";
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final int SECONDS_USUAL = 60;
    private static final int SECONDS_MAX = 600;
    private static final int LINES_USUAL = 1_000;
    private static final int LINES_MAX = 10_000;

    private final PresentBroker broker;
    private final TraceStreams streams;
    private final AdminLogin login;
    private final AuditLog audit;

    /** @param broker null while none serves clients */
    public LiveTraceRequests(PresentBroker broker, TraceStreams streams, AdminLogin login, AuditLog audit) {
        this.broker = broker;
        this.streams = streams;
        this.login = login;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                        HandlerType.GET,
                        "/service/trace/live",
                        "Traces the client ClientID from its next packet on, as server-sent events, for Seconds (60, at most 600)"
                                + " and Lines (1,000, at most 10,000): every packet at Level 8, those that begin, change or end"
                                + " something at Level 7; no payloads. For Accept: text/event-stream",
                        SERVE,
                        this::stream)
                .answering(STREAM));
    }

    private void stream(Context context, Administrator who) throws Refusal {
        RunningBroker running = broker.get();
        if (running == null) {
            throw broker.absent();
        }
        String client = ListQuery.text(context, "ClientID");
        if (client.isEmpty()) {
            throw new Refusal(Code.INVALID, "ClientID: name the client to trace");
        }
        int level = number(
                context, "Level", ConnectionTrace.CONTROL, ConnectionTrace.EVERY_PACKET, ConnectionTrace.EVERY_PACKET);
        int seconds = number(context, "Seconds", 1, SECONDS_USUAL, SECONDS_MAX);
        int lines = number(context, "Lines", 1, LINES_USUAL, LINES_MAX);
        String accepted = context.header("Accept");
        if (accepted == null || !accepted.contains(STREAM)) {
            throw new Refusal(Code.NOT_UNDERSTOOD, "this is a stream of events; ask for it with Accept: " + STREAM);
        }
        TraceStreams.Wanted wanted = new TraceStreams.Wanted(
                login.sessionWatch(context),
                Duration.ofSeconds(seconds),
                lines,
                sink -> running.trace(new LiveTrace(client, level, sink)));
        if (!streams.begin(context, wanted)) {
            throw new Refusal(
                    Code.NOT_NOW, "as many traces are watched as may be at a time; end one, or try again later");
        }
        audit.did(who, "watches the trace of client '" + client + "' for " + seconds + " s at most");
    }

    private static int number(Context context, String name, int least, int usual, int most) throws Refusal {
        String given = ListQuery.text(context, name);
        if (given.isEmpty()) {
            return usual;
        }
        int number = given.matches("[0-9]{1,6}") ? Integer.parseInt(given) : -1;
        if (number < least || number > most) {
            throw new Refusal(
                    Code.INVALID, String.format(Locale.ROOT, "%s is %d to %d, not '%s'", name, least, most, given));
        }
        return number;
    }
}
