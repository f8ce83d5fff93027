package dev.avocet.server.rest.messaging;

import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.content.NotInTimeException;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Looks at what waits in queues, and takes it away. */
public final class QueueRequests {
    /** The most that one answer lists. */
    static final int COUNT_MAX = 1_000;

    private static final int COUNT_DEFAULT = 25;
    /** How far a queue is looked through, as each message is read that stands before. */
    private static final int REACH = 10_000;

    private static final int SHOWN_BYTES = 64 << 10;

    private final PresentQueues queues;
    private final ConfigurationStore objects;
    private final AuditLog audit;
    private final Clock clock = new SystemClock();

    /** @param broker null while none serves clients */
    public QueueRequests(PresentBroker broker, ConfigurationStore objects, AuditLog audit) {
        this.queues = new PresentQueues(broker);
        this.objects = objects;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.GET,
                        PresentQueues.QUEUE + "/message",
                        "The messages that the queue would deliver next, up to ResultCount (25, at most 1,000) behind the first"
                                + " ResultOffset of them, of those that Selector selects, with the first BodyBytes bytes of each"
                                + " body (100); none is taken. More says whether there are others behind. ResultOffset and"
                                + " ResultCount are 10,000 together at most",
                        PresentQueues.SERVE,
                        this::browse),
                new RestRoute(
                        HandlerType.GET,
                        PresentQueues.QUEUE + "/message/{Reference}",
                        "One message that waits, with the first BodyBytes bytes of its body (65536, at most 1048576); it is not"
                                + " taken",
                        PresentQueues.SERVE,
                        this::show),
                new RestRoute(
                        HandlerType.DELETE,
                        PresentQueues.QUEUE + "/message/{Reference}",
                        "Takes one message away that waits in the queue",
                        PresentQueues.SERVE,
                        this::delete),
                new RestRoute(
                        HandlerType.POST,
                        PresentQueues.QUEUE + "/purge",
                        "Takes all messages away that wait in the queue",
                        PresentQueues.SERVE,
                        this::purge));
    }

    private void browse(Context context, Administrator who) throws Refusal {
        String name = context.pathParam("Name");
        int count = count(context);
        int offset = offset(context, count);
        MessageTree messages = messages(MessageTree.bodyBytes(context, MessageTree.BODY_DEFAULT, count));
        List<QueueDelivery> found;
        try {
            found = queues.administration().browse(name, selector(context), offset, count + 1);
        } catch (NotInTimeException e) {
            throw PresentQueues.notInTime(e);
        }
        if (found == null) {
            throw PresentQueues.unknown(name);
        }
        List<QueueDelivery> shown = found.subList(0, Math.min(count, found.size()));
        audit.did(who, "looked at " + shown.size() + " messages of queue '" + name + "'");
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Message", shown.stream().map(each -> tree(each, messages)).toList());
        tree.put("More", found.size() > count);
        Answer.objects(context, tree);
    }

    private void show(Context context, Administrator who) throws Refusal {
        String name = queues.name(context);
        long reference = reference(context.pathParam("Reference"));
        MessageTree messages = messages(MessageTree.bodyBytes(context, SHOWN_BYTES, 1));
        QueueDelivery found;
        try {
            found = queues.messages().find(name, reference);
        } catch (NotInTimeException e) {
            throw PresentQueues.notInTime(e);
        }
        if (found == null) {
            throw none(name, reference);
        }
        audit.did(who, "looked at message " + reference + " of queue '" + name + "'");
        Answer.objects(context, Map.of("Message", List.of(tree(found, messages))));
    }

    private MessageTree messages(int bodyBytes) {
        return new MessageTree(clock, bodyBytes, objects.current().single(Singletons.class));
    }

    private static Map<String, Object> tree(QueueDelivery delivery, MessageTree messages) {
        Message message = delivery.message();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Reference", delivery.reference());
        tree.put("SentTo", message.topic().text());
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
            if (!queues.administration().delete(name, reference)) {
                throw none(name, reference);
            }
        } catch (NotInTimeException e) {
            throw PresentQueues.notInTime(e);
        }
        audit.did(who, "took message " + reference + " out of queue '" + name + "'");
        Answer.done(context, Code.DONE, "The message is gone.", Map.of());
    }

    private void purge(Context context, Administrator who) throws Refusal {
        String name = context.pathParam("Name");
        int gone;
        try {
            gone = queues.administration().purge(name);
        } catch (NotInTimeException e) {
            throw PresentQueues.notInTime(e);
        }
        if (gone < 0) {
            throw PresentQueues.unknown(name);
        }
        audit.did(who, "took all " + gone + " messages out of queue '" + name + "'");
        Answer.done(context, Code.DONE, gone + " messages are gone.", Map.of("Messages", (long) gone));
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

    private static int offset(Context context, int count) throws Refusal {
        String text = ListQuery.text(context, "ResultOffset");
        if (text.isEmpty()) {
            return 0;
        }
        long offset = text.matches("[0-9]{1,5}") ? number(text) : REACH;
        if (offset + count > REACH) {
            throw new Refusal(
                    Code.INVALID,
                    "ResultOffset: give 0 to " + (REACH - count) + " with a ResultCount of " + count + ", not '" + text
                            + "'; further back messages are found with Selector");
        }
        return (int) offset;
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

    private static Refusal none(String name, long reference) {
        return new Refusal(Code.NOT_FOUND, "no message " + reference + " waits in a queue '" + name + "'");
    }
}
