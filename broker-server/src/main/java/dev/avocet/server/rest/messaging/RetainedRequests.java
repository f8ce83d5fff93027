package dev.avocet.server.rest.messaging;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.Page;
import dev.avocet.server.broker.content.RetainedMessageAdministration;
import dev.avocet.server.objects.ConfigurationStore;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists, shows and deletes retained messages. */
public final class RetainedRequests {
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final String PATH = "/service/Retained";
    private static final String TOPIC = "Topic";
    private static final String FILTER = "Filter";
    private static final int SHOWN_BYTES = 64 << 10;

    private final PresentBroker broker;
    private final ConfigurationStore objects;
    private final AuditLog audit;
    private final Clock clock = new SystemClock();

    /** @param broker null while none serves clients */
    public RetainedRequests(PresentBroker broker, ConfigurationStore objects, AuditLog audit) {
        this.broker = broker;
        this.objects = objects;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.GET,
                        PATH,
                        "The retained messages whose topics the topic filter Filter matches (# without it), by topic;"
                                + " ResultCount of them, those behind the topic After, with the first BodyBytes bytes of each"
                                + " body (100)",
                        SERVE,
                        this::list),
                new RestRoute(
                        HandlerType.GET,
                        PATH + "/{Topic}",
                        "The retained message of a topic, with the first BodyBytes bytes of its body (65536, at most 1048576)",
                        SERVE,
                        this::show),
                new RestRoute(
                        HandlerType.DELETE,
                        PATH,
                        "Deletes the retained messages whose topics the topic filter Filter matches; subscribers hear"
                                + " nothing of it",
                        SERVE,
                        this::deleteSeveral),
                new RestRoute(
                        HandlerType.DELETE,
                        PATH + "/{Topic}",
                        "Deletes the retained message of a topic; subscribers hear nothing of it",
                        SERVE,
                        this::deleteOne));
    }

    private void list(Context context, Administrator who) throws Refusal {
        String filter = ListQuery.text(context, FILTER);
        int count = ListQuery.resultCount(context);
        MessageTree messages = messages(MessageTree.bodyBytes(context, MessageTree.BODY_DEFAULT, count));
        Page<Message> page = new Page<>(ListQuery.text(context, "After"), count);
        TopicFilter wanted = filter(filter.isEmpty() ? "#" : filter);
        try {
            retained().list(wanted, page);
        } catch (NotInTimeException e) {
            throw notNow(e);
        }
        audit.did(who, "looked at " + page.content().size() + " retained messages of '" + filter + "'");
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(
                "Retained",
                page.content().stream().map(each -> tree(each, messages)).toList());
        tree.put("Total", page.total());
        Answer.objects(context, tree);
    }

    private void show(Context context, Administrator who) throws Refusal {
        TopicName topic = topic(context);
        MessageTree messages = messages(MessageTree.bodyBytes(context, SHOWN_BYTES, 1));
        Message message = found(topic);
        if (message == null) {
            throw none(topic);
        }
        audit.did(who, "looked at the retained message of topic '" + topic.text() + "'");
        Answer.objects(context, Map.of("Retained", List.of(tree(message, messages))));
    }

    private void deleteSeveral(Context context, Administrator who) throws Refusal {
        String filter = ListQuery.text(context, FILTER);
        if (filter.isEmpty()) {
            throw new Refusal(Code.INVALID, "give Filter, a topic filter; # deletes all retained messages");
        }
        try {
            long gone = retained().delete(filter(filter));
            audit.did(who, "deleted " + gone + " retained messages of '" + filter + "'");
            Answer.done(context, Code.DONE, gone + " retained messages are gone.", Map.of("Messages", gone));
        } catch (NotInTimeException e) {
            throw notNow(e);
        }
    }

    private void deleteOne(Context context, Administrator who) throws Refusal {
        TopicName topic = topic(context);
        try {
            if (!retained().delete(topic)) {
                throw none(topic);
            }
        } catch (NotInTimeException e) {
            throw notNow(e);
        }
        audit.did(who, "deleted the retained message of topic '" + topic.text() + "'");
        Answer.done(context, Code.DONE, "The retained message is gone.", Map.of());
    }

    private MessageTree messages(int bodyBytes) {
        return new MessageTree(clock, bodyBytes, objects.current().single(Singletons.class));
    }

    private static Map<String, Object> tree(Message message, MessageTree messages) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(TOPIC, message.topic().text());
        tree.put("QoS", (long) message.qos().ordinal());
        MessageTree.putIfThere(tree, "Publisher", message.publisher() instanceof String name ? name : null);
        messages.describe(message, tree);
        return tree;
    }

    private static TopicName topic(Context context) throws Refusal {
        try {
            return TopicName.of(context.pathParam(TOPIC));
        } catch (IllegalArgumentException e) {
            throw new Refusal(Code.INVALID, String.valueOf(e.getMessage()));
        }
    }

    private static TopicFilter filter(String text) throws Refusal {
        try {
            return TopicFilter.of(text);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Code.INVALID, FILTER + ": " + e.getMessage());
        }
    }

    private @Nullable Message found(TopicName topic) throws Refusal {
        try {
            return retained().find(topic);
        } catch (NotInTimeException e) {
            throw notNow(e);
        }
    }

    private static Refusal notNow(NotInTimeException e) {
        return new Refusal(Code.NOT_NOW, String.valueOf(e.getMessage()));
    }

    private static Refusal none(TopicName topic) {
        return new Refusal(Code.NOT_FOUND, "topic '" + topic.text() + "' has no retained message");
    }

    private RetainedMessageAdministration retained() throws Refusal {
        RunningBroker running = broker.get();
        RetainedMessageAdministration retained = running == null ? null : running.retained();
        if (retained == null) {
            throw broker.absent();
        }
        return retained;
    }
}
