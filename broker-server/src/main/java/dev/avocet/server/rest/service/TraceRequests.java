package dev.avocet.server.rest.service;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.ListQuery;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Shows what was traced. */
public final class TraceRequests {
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final int BYTES_DEFAULT = 1 << 20;
    private static final int BYTES_MAX = 8 << 20;

    private final PresentBroker broker;
    private final AuditLog audit;

    /** @param broker null while none serves clients */
    public TraceRequests(PresentBroker broker, AuditLog audit) {
        this.broker = broker;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                        HandlerType.GET,
                        "/service/trace",
                        "The last Bytes of the trace (1048576, at most 8388608), from the beginning of a line; nothing when"
                                + " nothing was traced",
                        SERVE,
                        this::show)
                .answeringText());
    }

    private void show(Context context, Administrator who) throws Refusal {
        RunningBroker running = broker.get();
        if (running == null) {
            throw broker.absent();
        }
        try {
            byte[] end = running.traceEnd(bytes(context));
            audit.did(who, "looked at the trace");
            context.contentType("text/plain; charset=utf-8").result(end);
        } catch (IOException e) {
            throw new Refusal(Code.NOT_NOW, "the trace cannot be read: " + e.getMessage());
        }
    }

    private static int bytes(Context context) throws Refusal {
        String given = ListQuery.text(context, "Bytes");
        if (given.isEmpty()) {
            return BYTES_DEFAULT;
        }
        int bytes = given.matches("[0-9]{1,7}") ? Integer.parseInt(given) : 0;
        if (bytes < 1 || bytes > BYTES_MAX) {
            throw new Refusal(Code.INVALID, String.format(Locale.ROOT, "Bytes is 1 to %d, not '%s'", BYTES_MAX, given));
        }
        return bytes;
    }
}
