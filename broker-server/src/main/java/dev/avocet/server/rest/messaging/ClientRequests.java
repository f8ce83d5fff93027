package dev.avocet.server.rest.messaging;

import dev.avocet.core.broker.SessionAdministration.Ending;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.content.ClientAdministration;
import dev.avocet.server.broker.content.ConnectionFacts;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.Page;
import dev.avocet.server.broker.content.SessionFacts;
import dev.avocet.server.broker.content.SubscriptionFacts;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.ListQuery;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.net.InetAddress;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists the sessions and subscriptions of clients, and deletes them. */
public final class ClientRequests {
    private static final Set<AdminAction> SEE =
            Set.of(AdminAction.VIEW, AdminAction.MONITOR, AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    /** Who owns shared subscriptions that are no client's. */
    private static final Set<String> SHARED_OWNERS =
            Set.of(ShareNames.DURABLE_OWNER, ShareNames.MIXED_OWNER, ShareNames.NOT_DURABLE_OWNER);

    private final PresentBroker broker;
    private final AuditLog audit;
    private final Clock clock = new SystemClock();

    /** @param broker null while none serves clients */
    public ClientRequests(PresentBroker broker, AuditLog audit) {
        this.broker = broker;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.GET,
                        "/service/MQTTClient",
                        "The sessions that fit ClientID, UserID, ClientAddress and Endpoint, in which * stands for any"
                                + " characters, and ConnectionState (Connected, Disconnected, All); ResultCount of them,"
                                + " those behind the client After",
                        SEE,
                        this::listSessions),
                new RestRoute(
                        HandlerType.GET,
                        "/service/MQTTClient/{ClientID}",
                        "The session of a client, with its subscriptions",
                        SEE,
                        this::showSession),
                new RestRoute(
                        HandlerType.DELETE,
                        "/service/MQTTClient/{ClientID}",
                        "Deletes the session of a client that is away, its subscriptions, and what waits for them;"
                                + " with Force a client that is connected is disconnected first",
                        SERVE,
                        this::deleteSession),
                new RestRoute(
                        HandlerType.GET,
                        "/service/Subscription",
                        "The subscriptions that fit ClientID, SubName and TopicString, in which * stands for any"
                                + " characters, and SubType (All, Durable, Nondurable, Shared, Nonshared, Admin); ResultCount of"
                                + " them, those behind the one named by After and AfterName",
                        SEE,
                        this::listSubscriptions),
                new RestRoute(
                        HandlerType.GET,
                        "/service/Subscription/{ClientID}/{SubName}",
                        "A subscription; shared ones are those of the clients __Shared, __SharedND and __SharedM",
                        SEE,
                        this::showSubscription),
                new RestRoute(
                        HandlerType.DELETE,
                        "/service/Subscription/{ClientID}/{SubName}",
                        "Deletes a subscription and what waits for it; with Force, or DiscardSharers where it is shared,"
                                + " clients that use it are disconnected first",
                        SERVE,
                        this::deleteSubscription));
    }

    private void listSessions(Context context, Administrator who) throws Refusal {
        Predicate<String> clientId = ListQuery.pattern(context, "ClientID");
        Predicate<String> user = ListQuery.pattern(context, "UserID");
        Predicate<String> address = ListQuery.pattern(context, "ClientAddress");
        Predicate<String> endpoint = ListQuery.pattern(context, "Endpoint");
        String state = ListQuery.choice(context, "ConnectionState", List.of("All", "Connected", "Disconnected"));
        Page<SessionFacts> page = new Page<>(ListQuery.text(context, "After"), ListQuery.resultCount(context));
        inTime(() -> clients()
                .sessions(
                        facts -> clientId.test(facts.clientId())
                                && user.test(text(facts.connection(), ConnectionFacts::userName))
                                && address.test(address(facts.connection()))
                                && endpoint.test(text(facts.connection(), ConnectionFacts::endpoint))
                                && (state.equals("All") || state.equals("Connected") == facts.isConnected()),
                        page));
        list(context, "MQTTClient", page.content().stream().map(this::session).toList(), page.total());
    }

    private void showSession(Context context, Administrator who) throws Refusal {
        String clientId = context.pathParam("ClientID");
        Page<SessionFacts> found = new Page<>("", 1);
        Page<SubscriptionFacts> subscriptions = new Page<>("", ListQuery.MOST);
        inTime(() -> {
            clients().sessions(facts -> facts.clientId().equals(clientId), found);
            clients().subscriptions(facts -> facts.id().owner().equals(clientId), subscriptions);
        });
        SessionFacts facts = found.content().stream().findFirst().orElseThrow(() -> noSession(clientId));
        Map<String, Object> session = session(facts);
        session.put(
                "Subscription",
                subscriptions.content().stream()
                        .map(ClientRequests::subscription)
                        .toList());
        Answer.objects(context, Map.of("MQTTClient", List.of(session)));
    }

    private void deleteSession(Context context, Administrator who) throws Refusal {
        String clientId = context.pathParam("ClientID");
        boolean force = ListQuery.isSet(context, "Force");
        Ending ending = inTime(() -> clients().endSession(clientId, force));
        switch (ending) {
            case NOT_FOUND -> throw noSession(clientId);
            case CONNECTED ->
                throw new Refusal(
                        Code.IN_USE,
                        "client '" + clientId + "' is connected; disconnect it first, or delete it with Force=true");
            case ADMINISTERED -> throw noSession(clientId);
            case GONE -> {
                audit.did(who, "deleted the session of client '" + clientId + "'");
                Answer.done(context, Code.DONE, "The session is deleted.", Map.of());
            }
        }
    }

    private void listSubscriptions(Context context, Administrator who) throws Refusal {
        Predicate<String> clientId = ListQuery.pattern(context, "ClientID");
        Predicate<String> name = ListQuery.pattern(context, "SubName");
        Predicate<String> filter = ListQuery.pattern(context, "TopicString");
        String kind = ListQuery.choice(
                context, "SubType", List.of("All", "Durable", "Nondurable", "Shared", "Nonshared", "Admin"));
        String after = ListQuery.text(context, "After");
        Page<SubscriptionFacts> page = new Page<>(
                after.isEmpty()
                        ? ""
                        : ClientAdministration.keyOf(new SubscriptionId(after, ListQuery.text(context, "AfterName"))),
                ListQuery.resultCount(context));
        inTime(() -> clients()
                .subscriptions(
                        facts -> clientId.test(facts.id().owner())
                                && name.test(facts.id().name())
                                && filter.test(facts.topicFilter())
                                && isOf(kind, facts),
                        page));
        list(
                context,
                "Subscription",
                page.content().stream().map(ClientRequests::subscription).toList(),
                page.total());
    }

    private static boolean isOf(String kind, SubscriptionFacts facts) {
        return switch (kind) {
            case "Durable" -> facts.durable();
            case "Nondurable" -> !facts.durable();
            case "Shared" -> facts.shared();
            case "Nonshared" -> !facts.shared();
            case "Admin" -> facts.administered();
            default -> true;
        };
    }

    private void showSubscription(Context context, Administrator who) throws Refusal {
        SubscriptionId id = idOf(context);
        Page<SubscriptionFacts> found = new Page<>("", 1);
        inTime(() -> clients().subscriptions(facts -> facts.id().equals(id), found));
        SubscriptionFacts facts = found.content().stream().findFirst().orElseThrow(() -> noSubscription(id));
        Answer.objects(context, Map.of("Subscription", List.of(subscription(facts))));
    }

    private void deleteSubscription(Context context, Administrator who) throws Refusal {
        SubscriptionId id = idOf(context);
        boolean force = ListQuery.isSet(context, "Force") || ListQuery.isSet(context, "DiscardSharers");
        Ending ending = inTime(() -> clients().endSubscription(id, force));
        switch (ending) {
            case NOT_FOUND -> throw noSubscription(id);
            case CONNECTED ->
                throw new Refusal(
                        Code.IN_USE,
                        SHARED_OWNERS.contains(id.owner())
                                ? "clients that share it are connected; delete it with DiscardSharers=true"
                                : "client '" + id.owner()
                                        + "' is connected; disconnect it first, or delete it with Force=true");
            case ADMINISTERED ->
                throw new Refusal(
                        Code.IN_USE,
                        "an administrator made it; delete its AdminSubscription, DurableNamespaceAdminSub or"
                                + " NonpersistentAdminSub");
            case GONE -> {
                audit.did(who, "deleted subscription '" + id.name() + "' of client '" + id.owner() + "'");
                Answer.done(context, Code.DONE, "The subscription is deleted.", Map.of());
            }
        }
    }

    /** Of shared ones the name is also taken as MQTT clients write it, whichever of their owners is given. */
    static SubscriptionId idOf(Context context) {
        String owner = context.pathParam("ClientID");
        String name = context.pathParam("SubName");
        boolean isMembers = SHARED_OWNERS.contains(owner) && name.startsWith("$share/");
        return isMembers
                ? new SubscriptionId(ShareNames.MIXED_OWNER, name.substring("$share".length()))
                : new SubscriptionId(owner, name);
    }

    private static void list(Context context, String type, List<Map<String, Object>> content, long total) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(type, content);
        tree.put("Total", total);
        Answer.objects(context, tree);
    }

    private Map<String, Object> session(SessionFacts facts) {
        ConnectionFacts connection = facts.connection();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("ClientID", facts.clientId());
        tree.put("IsConnected", facts.isConnected());
        tree.put("UserID", text(connection, ConnectionFacts::userName));
        tree.put("Endpoint", text(connection, ConnectionFacts::endpoint));
        tree.put("ClientAddress", address(connection));
        tree.put("IsDurable", facts.durable());
        tree.put(
                "ExpirySeconds",
                facts.expirySeconds() == ClientSession.NEVER_EXPIRES ? "never" : facts.expirySeconds());
        tree.put("Subscriptions", (long) facts.subscriptions());
        tree.put("BufferedMsgs", facts.buffered());
        tree.put("LastConnectedTime", facts.isConnected() ? "" : lastConnected(facts.awaySeconds()));
        return tree;
    }

    private String lastConnected(long awaySeconds) {
        return Instant.ofEpochMilli(clock.wallTimeMs())
                .minusSeconds(awaySeconds)
                .toString();
    }

    private static Map<String, Object> subscription(SubscriptionFacts facts) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("SubName", facts.id().name());
        tree.put("ClientID", facts.id().owner());
        tree.put("TopicString", facts.topicFilter());
        tree.put("IsShared", facts.shared());
        tree.put("IsDurable", facts.durable());
        tree.put("IsAdmin", facts.administered());
        tree.put("QoS", (long) facts.qos());
        tree.put("Members", (long) facts.members());
        tree.put("Consumers", (long) facts.figures().consumers());
        tree.put("BufferedMsgs", (long) facts.figures().buffered());
        tree.put("BufferedMsgsHWM", (long) facts.figures().highWaterMark());
        tree.put("MaxMessages", (long) facts.maxMessages());
        tree.put("PublishedMsgs", facts.figures().published());
        tree.put("RejectedMsgs", facts.figures().rejected());
        tree.put("DiscardedMsgs", facts.figures().discarded());
        tree.put("ExpiredMsgs", facts.figures().expired());
        tree.put("MessagingPolicy", facts.policy());
        return tree;
    }

    private static String address(@Nullable ConnectionFacts connection) {
        InetAddress address = connection == null ? null : connection.address();
        return address == null ? "" : address.getHostAddress();
    }

    private static String text(@Nullable ConnectionFacts connection, FactReader reader) {
        return Stream.ofNullable(connection)
                .flatMap(facts -> Stream.ofNullable(reader.read(facts)))
                .findFirst()
                .orElse("");
    }

    private static Refusal noSession(String clientId) {
        return new Refusal(Code.NOT_FOUND, "client '" + clientId + "' has no session");
    }

    private static Refusal noSubscription(SubscriptionId id) {
        return new Refusal(Code.NOT_FOUND, "client '" + id.owner() + "' has no subscription '" + id.name() + "'");
    }

    private ClientAdministration clients() throws Refusal {
        RunningBroker running = broker.get();
        ClientAdministration clients = running == null ? null : running.clients();
        if (clients == null) {
            throw broker.absent();
        }
        return clients;
    }

    private static void inTime(Work work) throws Refusal {
        inTime(() -> {
            work.run();
            return true;
        });
    }

    private static <T> T inTime(Question<T> question) throws Refusal {
        try {
            return question.ask();
        } catch (NotInTimeException e) {
            throw new Refusal(Code.NOT_NOW, String.valueOf(e.getMessage()));
        }
    }

    @FunctionalInterface
    private interface FactReader {
        @Nullable String read(ConnectionFacts facts);
    }

    @FunctionalInterface
    private interface Work {
        void run() throws NotInTimeException, Refusal;
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask() throws NotInTimeException, Refusal;
    }
}
