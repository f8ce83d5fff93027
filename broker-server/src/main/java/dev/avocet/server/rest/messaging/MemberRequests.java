package dev.avocet.server.rest.messaging;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.content.ClientAdministration;
import dev.avocet.server.broker.content.ConnectionFacts;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.Page;
import dev.avocet.server.broker.content.SessionFacts;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.ListQuery;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Lists the clients that share a subscription. */
public final class MemberRequests {
    private static final Set<AdminAction> SEE =
            Set.of(AdminAction.VIEW, AdminAction.MONITOR, AdminAction.CONFIGURE, AdminAction.MANAGE);

    private final PresentBroker broker;

    /** @param broker null while none serves clients */
    public MemberRequests(PresentBroker broker) {
        this.broker = broker;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                HandlerType.GET,
                "/service/Subscription/{ClientID}/{SubName}/Member",
                "The clients that share a subscription, connected and away, by client identifier: ResultCount of them (25, at"
                        + " most 10,000), those behind the one named by After",
                SEE,
                this::list));
    }

    private void list(Context context, Administrator who) throws Refusal {
        SubscriptionId id = ClientRequests.idOf(context);
        Page<SessionFacts> page = new Page<>(ListQuery.text(context, "After"), ListQuery.resultCount(context));
        try {
            if (!clients().members(id, page)) {
                throw new Refusal(
                        Code.NOT_FOUND,
                        "client '" + id.owner() + "' has no subscription '" + id.name() + "' that is shared");
            }
        } catch (NotInTimeException e) {
            throw new Refusal(Code.NOT_NOW, String.valueOf(e.getMessage()));
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Member", page.content().stream().map(MemberRequests::member).toList());
        tree.put("Total", page.total());
        Answer.objects(context, tree);
    }

    private static Map<String, Object> member(SessionFacts facts) {
        ConnectionFacts connection = facts.connection();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("ClientID", facts.clientId());
        tree.put("IsConnected", facts.isConnected());
        tree.put("UserID", connection == null ? "" : Objects.requireNonNullElse(connection.userName(), ""));
        tree.put("Endpoint", connection == null ? "" : Objects.requireNonNullElse(connection.endpoint(), ""));
        return tree;
    }

    private ClientAdministration clients() throws Refusal {
        RunningBroker running = broker.get();
        ClientAdministration clients = running == null ? null : running.clients();
        if (clients == null) {
            throw broker.absent();
        }
        return clients;
    }
}
