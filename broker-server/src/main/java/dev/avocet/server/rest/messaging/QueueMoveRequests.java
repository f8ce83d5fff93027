package dev.avocet.server.rest.messaging;

import dev.avocet.core.queue.Relocation;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.QueueMessages.Moved;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Brings messages that wait in a queue to another one, and dead letters back to where they came from. */
public final class QueueMoveRequests {
    private static final String TO = "To";
    private static final String COUNT = "Count";
    private static final String REFERENCES = "References";
    /** The most that one request moves by reference. */
    private static final int MOST = 1_000;

    private static final Map<String, Object> WHICH = Map.of(
            "type",
            "array",
            "items",
            RouteBody.number(Long.MIN_VALUE, Long.MAX_VALUE),
            "minItems",
            1L,
            "maxItems",
            (long) MOST);

    private final PresentQueues queues;
    private final AuditLog audit;

    /** @param broker null while none serves clients */
    public QueueMoveRequests(PresentBroker broker, AuditLog audit) {
        this.queues = new PresentQueues(broker);
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                                HandlerType.POST,
                                PresentQueues.QUEUE + "/move",
                                "Moves messages that wait to the queue To: those of References, at most 1,000, or up to Count of"
                                        + " them; all, as far as they have room, without either. Left tells which of References"
                                        + " stay, and why",
                                PresentQueues.SERVE,
                                this::move)
                        .bringing(RouteBody.of(
                                Map.of(
                                        TO,
                                        RouteBody.TEXT,
                                        COUNT,
                                        RouteBody.number(1, Long.MAX_VALUE),
                                        REFERENCES,
                                        WHICH),
                                List.of(TO))),
                new RestRoute(
                                HandlerType.POST,
                                PresentQueues.QUEUE + "/resend",
                                "Moves dead letters back to the queues that they came from: those of References, or the first Count"
                                        + " (1,000, which is the most). To is the queue for those of which the broker does not"
                                        + " know where they came from, or whose queue there is no more. Left tells which stay,"
                                        + " and why",
                                PresentQueues.SERVE,
                                this::resend)
                        .bringing(RouteBody.of(
                                Map.of(TO, RouteBody.TEXT, COUNT, RouteBody.number(1, MOST), REFERENCES, WHICH),
                                List.of())));
    }

    private void move(Context context, Administrator who) throws Refusal {
        String name = context.pathParam("Name");
        Map<String, @Nullable Object> body = RequestBody.object(context);
        requireOnly(body);
        List<Long> references = references(body);
        Object count = body.getOrDefault(COUNT, (long) Integer.MAX_VALUE);
        if (!(body.get(TO) instanceof String to) || !(count instanceof Number most) || most.longValue() < 1) {
            throw new Refusal(
                    Code.INVALID, "give To, the name of a queue, and perhaps Count, 1 or more, or References");
        }
        queues.other(queues.existing(name), to);
        try {
            if (references == null) {
                int moved = queues.administration().move(name, to, (int) Math.min(Integer.MAX_VALUE, most.longValue()));
                audit.did(who, "moved " + moved + " messages from queue '" + name + "' to '" + to + "'");
                Answer.done(context, Code.DONE, moved + " messages were moved.", Map.of("Messages", (long) moved));
            } else {
                Moved moved = queues.messages().move(name, references, to);
                audit.did(
                        who,
                        "moved " + moved.moved() + " messages from queue '" + name + "' to '" + to + "', chosen from "
                                + references);
                answer(context, moved, "moved");
            }
        } catch (NotInTimeException e) {
            throw PresentQueues.notInTime(e);
        }
    }

    private void resend(Context context, Administrator who) throws Refusal {
        String name = queues.name(context);
        Map<String, @Nullable Object> body = RequestBody.object(context);
        requireOnly(body);
        Object to = body.get(TO);
        if (to != null && !(to instanceof String)) {
            throw new Refusal(Code.INVALID, "To: give the name of a queue, as text in quotes");
        }
        String fallback = to == null ? null : queues.other(name, to.toString());
        List<Long> references = references(body);
        if (references != null && body.get(COUNT) != null) {
            throw new Refusal(Code.INVALID, "give either References or Count");
        }
        try {
            List<Long> chosen = references == null ? queues.messages().deadLetters(name, count(body)) : references;
            Moved moved = queues.messages().resend(name, chosen, fallback);
            audit.did(
                    who,
                    "sent " + moved.moved() + " messages of queue '" + name + "' back to where they came from"
                            + (fallback == null ? "" : ", or to '" + fallback + "'"));
            if (chosen.isEmpty()) {
                Answer.done(context, Code.DONE, "No dead letter waits in the queue.", Map.of("Messages", 0L));
            } else {
                answer(context, moved, "sent back");
            }
        } catch (NotInTimeException e) {
            throw PresentQueues.notInTime(e);
        }
    }

    /** Where nothing was moved that is an error. */
    private static void answer(Context context, Moved moved, String what) throws Refusal {
        Set<Relocation> reasons = new LinkedHashSet<>(moved.left().values());
        String why = reasons.stream().map(QueueMoveRequests::reason).collect(Collectors.joining("; "));
        int left = moved.left().size();
        if (moved.moved() == 0) {
            boolean noneThere = reasons.equals(Set.of(Relocation.NOT_HERE));
            String which = left == 1 ? "the message was not " : "none of the " + left + " messages was ";
            throw new Refusal(noneThere ? Code.NOT_FOUND : Code.IN_USE, which + what + ": " + why);
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Messages", (long) moved.moved());
        tree.put(
                "Left",
                moved.left().entrySet().stream()
                        .map(each -> Map.of("Reference", each.getKey(), "Reason", reason(each.getValue())))
                        .toList());
        String done = (moved.moved() == 1 ? "1 message was " : moved.moved() + " messages were ") + what;
        Answer.done(
                context,
                Code.DONE,
                left == 0 ? done + "." : done + (left == 1 ? "; 1 stays: " : "; " + left + " stay: ") + why + ".",
                tree);
    }

    private static String reason(Relocation outcome) {
        return switch (outcome) {
            case MOVED -> "it is in the other queue";
            case NO_ROOM -> "the other queue has no room for it";
            case NO_TARGET -> "the broker knows no queue that it came from; name one with To";
            case BUSY -> "a receiver has it now, or its delivery is delayed";
            case NOT_HERE -> "it does not wait in this queue any more";
        };
    }

    private static void requireOnly(Map<String, @Nullable Object> body) throws Refusal {
        for (String member : body.keySet()) {
            if (!Set.of(TO, COUNT, REFERENCES).contains(member)) {
                throw new Refusal(Code.INVALID, "'" + member + "' means nothing here; give To, Count or References");
            }
        }
    }

    private static int count(Map<String, @Nullable Object> body) throws Refusal {
        Object given = body.getOrDefault(COUNT, (long) MOST);
        if (!(given instanceof Number count) || count.doubleValue() < 1 || count.doubleValue() > MOST) {
            throw new Refusal(Code.INVALID, "Count: give 1 to " + MOST);
        }
        return count.intValue();
    }

    /** Null where there are none. */
    private static @Nullable List<Long> references(Map<String, @Nullable Object> body) throws Refusal {
        Object given = body.get(REFERENCES);
        if (given == null) {
            return null;
        }
        Set<Long> references = new LinkedHashSet<>();
        if (given instanceof List<?> list && !list.isEmpty() && list.size() <= MOST) {
            for (Object each : list) {
                if (each instanceof BigInteger number && number.bitLength() < Long.SIZE) {
                    references.add(number.longValue());
                }
            }
            if (references.size() == list.size()) {
                return new ArrayList<>(references);
            }
        }
        throw new Refusal(
                Code.INVALID,
                "References: give a list of 1 to " + MOST
                        + " different numbers, each the Reference of a message as the list of messages shows it");
    }
}
