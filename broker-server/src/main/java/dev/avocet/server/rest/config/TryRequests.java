package dev.avocet.server.rest.config;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.broker.endpoint.WebSocketEndpoint;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Tells where the console's own MQTT client can connect. The client shows what messages hold, as the requests for
 * queues and retained messages do, so it needs the same authority.
 */
public final class TryRequests {
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);

    private final PresentBroker broker;
    private final Supplier<List<WebSocketEndpoint>> endpoints;

    /** @param broker null while none serves clients */
    public TryRequests(PresentBroker broker, Supplier<List<WebSocketEndpoint>> endpoints) {
        this.broker = broker;
        this.endpoints = endpoints;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                HandlerType.GET,
                "/service/websocket",
                "The endpoints that take MQTT over WebSocket now, up to 50: Name, Address, Port, Encrypted",
                SERVE,
                this::tell));
    }

    private void tell(Context context, Administrator who) throws Refusal {
        if (broker.get() == null) {
            throw broker.absent();
        }
        Answer.objects(
                context,
                Map.of(
                        "Endpoint",
                        endpoints.get().stream().map(TryRequests::tree).toList()));
    }

    private static Map<String, Object> tree(WebSocketEndpoint endpoint) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Name", endpoint.name());
        tree.put("Address", endpoint.address().getAddress().getHostAddress());
        tree.put("Port", (long) endpoint.address().getPort());
        tree.put("Encrypted", endpoint.encrypted());
        return tree;
    }
}
