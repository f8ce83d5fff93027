package dev.avocet.server.rest;

import dev.avocet.core.config.object.AdminAction;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.QueueDelivery;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.NotInTimeException;
import dev.avocet.server.broker.QueueAdministration;
import dev.avocet.server.broker.RunningBroker;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks at what waits in queues, takes it away, and moves it. */
final class QueueRequests {
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final String QUEUE = "/service/queue/{Name}";
    private static final int COUNT_DEFAULT = 25;
    private static final int COUNT_MAX = 1_000;

    private final PresentBroker broker;
    private final AuditLog audit;
    private final Clock clock = new SystemClock();

    /** @param broker null while none serves clients */
    QueueRequests(PresentBroker broker, AuditLog audit) {
        this.broker = broker;
        this.audit = audit;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        HandlerType.GET,
                        QUEUE + "/message",
                        "The messages that the queue would deliver next, up to ResultCount (25, at most 1,000), of those"
                                + " that Selector selects, with the first BodyBytes bytes of each body (100); none is taken",
                        SERVE,
                        this::browse),
                new Route(
                        HandlerType.DELETE,
                        QUEUE + "/message/{Reference}",
                        "Takes one message away that waits in the queue",
                        SERVE,
                        this::delete),
                new Route(
                        HandlerType.POST,
                        QUEUE + "/purge",
                        "Takes all messages away that wait in the queue",
                        SERVE,
                        this::purge),
                new Route(
                        HandlerType.POST,
                        QUEUE + "/move",
                        "Moves messages that wait to the queue To, up to Count; all, as far as they have room, without it",
                        SERVE,
                        this::move));
    }

    private void browse(Context context, Administrator who) throws Refusal {
        String name = context.pathParam("Name");
        int count = count(context);
        MessageTree messages = new MessageTree(clock, MessageTree.bodyBytes(context, MessageTree.BODY_DEFAULT, count));
        List<QueueDelivery> found;
        try {
            found = queues().browse(name, selector(context), count);
        } catch (NotInTimeException e) {
            throw notInTime(e);
        }
        if (found == null) {
            throw unknown(name);
        }
        audit.did(who, "looked at " + found.size() + " messages of queue '" + name + "'");
        Answer.objects(
                context,
                Map.of(
                        "Message",
                        found.stream().map(each -> tree(each, messages)).toList()));
    }

    private static Map<String, Object> tree(QueueDelivery delivery, MessageTree messages) {
        Message message = delivery.message();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Reference", delivery.reference());
        tree.put("Priority", (long) delivery.priority());
        tree.put("DeliveryCount", (long) delivery.deliveryCount());
        tree.put("Persistent", message.isPersistent());
        messages.describe(message, tree);
        DeadLetter deadLetter = delivery.standing().deadLetter();
        if (deadLetter != null) {
            tree.put("DeadLetterCause", deadLetter.cause().name());
            tree.put("DeadLetterQueue", deadLetter.queue());
            tree.put("DeadLetterDeliveryCount", (long) deadLetter.deliveryCount());
            MessageTree.putIfThere(tree, "DeadLetterDescription", deadLetter.description());
        }
        return tree;
    }

    private void delete(Context context, Administrator who) throws Refusal {
        String name = context.pathParam("Name");
        long reference = reference(context.pathParam("Reference"));
        try {
            if (!queues().delete(name, reference)) {
                throw new Refusal(Code.NOT_FOUND, "no message " + reference + " waits in a queue '" + name + "'");
            }
        } catch (NotInTimeException e) {
            throw notInTime(e);
        }
        audit.did(who, "took message " + reference + " out of queue '" + name + "'");
        Answer.done(context, Code.DONE, "The message is gone.", Map.of());
    }

    private void purge(Context context, Administrator who) throws Refusal {
        String name = context.pathParam("Name");
        int gone;
        try {
            gone = queues().purge(name);
        } catch (NotInTimeException e) {
            throw notInTime(e);
        }
        if (gone < 0) {
            throw unknown(name);
        }
        audit.did(who, "took all " + gone + " messages out of queue '" + name + "'");
        Answer.done(context, Code.DONE, gone + " messages are gone.", Map.of("Messages", (long) gone));
    }

    private void move(Context context, Administrator who) throws Refusal {
        String name = context.pathParam("Name");
        Map<String, @Nullable Object> body = RequestBody.object(context);
        Object count = body.getOrDefault("Count", (long) Integer.MAX_VALUE);
        if (!(body.get("To") instanceof String to) || !(count instanceof Number most) || most.longValue() < 1) {
            throw new Refusal(Code.INVALID, "give To, the name of a queue, and perhaps Count, 1 or more");
        }
        QueueAdministration queues = queues();
        for (String each : List.of(name, to)) {
            if (!queues.exists(each)) {
                throw unknown(each);
            }
        }
        if (name.equals(to)) {
            throw new Refusal(Code.INVALID, "To: name another queue than '" + name + "'");
        }
        try {
            int moved = queues.move(name, to, (int) Math.min(Integer.MAX_VALUE, most.longValue()));
            audit.did(who, "moved " + moved + " messages from queue '" + name + "' to '" + to + "'");
            Answer.done(context, Code.DONE, moved + " messages were moved.", Map.of("Messages", (long) moved));
        } catch (NotInTimeException e) {
            throw notInTime(e);
        }
    }

    private static @Nullable Selector selector(Context context) throws Refusal {
        try {
            return Selector.compile(Objects.requireNonNullElse(context.queryParam("Selector"), ""));
        } catch (InvalidSelectorException e) {
            throw new Refusal(Code.INVALID, "Selector: " + e.getMessage());
        }
    }

    private static int count(Context context) throws Refusal {
        String text = context.queryParam("ResultCount");
        if (text == null || text.isEmpty()) {
            return COUNT_DEFAULT;
        }
        long count = number(text);
        if (count < 1 || count > COUNT_MAX) {
            throw new Refusal(Code.INVALID, "ResultCount: give 1 to " + COUNT_MAX + ", not '" + text + "'");
        }
        return (int) count;
    }

    private static long reference(String text) throws Refusal {
        long reference = number(text);
        if (reference == 0) {
            throw new Refusal(Code.INVALID, "'" + text + "' is no Reference as the list of messages shows it");
        }
        return reference;
    }

    /** 0 for what is no number. */
    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private QueueAdministration queues() throws Refusal {
        RunningBroker running = broker.get();
        QueueAdministration queues = running == null ? null : running.queues();
        if (queues == null) {
            throw broker.absent();
        }
        return queues;
    }

    private static Refusal unknown(String name) {
        return new Refusal(Code.NOT_FOUND, "there is no queue '" + name + "'");
    }

    private static Refusal notInTime(NotInTimeException why) {
        return new Refusal(Code.NOT_NOW, String.valueOf(why.getMessage()));
    }
}
