package dev.avocet.server.rest.messaging;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.console.LiveStreams;
import dev.avocet.server.rest.login.AdminLogin;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;

/** Streams what the dashboard shows. */
public final class LiveRequests {
    private static final String STREAM = "text/event-stream";
    private static final Set<AdminAction> WATCH = Set.of(AdminAction.values());

    private final LiveStreams streams;
    private final AdminLogin login;

    public LiveRequests(LiveStreams streams, AdminLogin login) {
        this.streams = streams;
        this.login = login;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                        HandlerType.GET,
                        "/service/live",
                        "State and figures, once a second, as server-sent events; for Accept: text/event-stream",
                        WATCH,
                        this::stream)
                .answering(STREAM));
    }

    private void stream(Context context, Administrator who) throws Refusal {
        String accepted = context.header("Accept");
        if (accepted == null || !accepted.contains(STREAM)) {
            throw new Refusal(Code.NOT_UNDERSTOOD, "this is a stream of events; ask for it with Accept: " + STREAM);
        }
        if (!streams.begin(context, login.sessionWatch(context))) {
            throw new Refusal(Code.NOT_NOW, "as many dashboards are open as may be; close one, or try again later");
        }
    }
}
