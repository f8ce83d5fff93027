package dev.avocet.server.rest.messaging;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.content.ClientSets;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.ListQuery;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RegularExpression;
import dev.avocet.server.rest.request.RestRoute;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Deletes sets of clients, with what they left behind. */
public final class ClientSetRequests {
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final String CLIENT_ID = "ClientID";
    private static final String RETAIN = "Retain";
    private static final int WAIT_S = 60;
    private static final int WAIT_MAX_S = 3_600;
    /** Clients that an answer names. */
    private static final int NAMED = 100;

    private final PresentBroker broker;
    private final AuditLog audit;
    private final Clock clock = new SystemClock();

    /** @param broker null while none serves clients */
    public ClientSetRequests(PresentBroker broker, AuditLog audit) {
        this.broker = broker;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                HandlerType.DELETE,
                "/service/ClientSet",
                "Deletes the sessions and the durable JMS subscriptions whose clients the regular expression ClientID fits,"
                        + " with what waits for them, and the retained messages whose topics the regular expression Retain"
                        + " fits. A JMS client is jms: and its client identifier. What connected clients use stays; with"
                        + " Force they are disconnected first. The work ends after Wait"
                        + " seconds (60, at most 3600) at a point from where the same request goes on",
                SERVE,
                this::delete));
    }

    private void delete(Context context, Administrator who) throws Refusal {
        String clientId = ListQuery.text(context, CLIENT_ID);
        String retain = ListQuery.text(context, RETAIN);
        if (clientId.isEmpty() && retain.isEmpty()) {
            throw new Refusal(
                    Code.INVALID, "give ClientID or Retain, each a regular expression; ^ stands for all of them");
        }
        boolean disconnects = ListQuery.isSet(context, "Force");
        long endNs = clock.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds(context));
        String what = "ClientID '" + clientId + "' and Retain '" + retain + "'";
        ClientSets.Deleted deleted;
        try {
            deleted = sets().delete(
                            expression(CLIENT_ID, clientId),
                            expression(RETAIN, retain),
                            disconnects,
                            () -> clock.nanoTime() - endNs < 0);
        } catch (NotInTimeException e) {
            throw new Refusal(Code.NOT_NOW, String.valueOf(e.getMessage()));
        } catch (RegularExpression.TooSlowException e) {
            throw new Refusal(Code.INVALID, String.valueOf(e.getMessage()));
        }
        audit.did(who, "deleted " + what(deleted) + " of " + what);
        answer(context, deleted);
    }

    private static String what(ClientSets.Deleted deleted) {
        return deleted.sessions() + " sessions, " + deleted.durables() + " durable JMS subscriptions and "
                + deleted.retained() + " retained messages";
    }

    private static void answer(Context context, ClientSets.Deleted deleted) {
        int connected = deleted.connected().size();
        int consumed = deleted.consumed().size();
        String message = what(deleted) + " are gone."
                + (connected == 0 ? "" : " " + connected + " clients are connected and stay; Force disconnects them.")
                + (consumed == 0 ? "" : " " + consumed + " durable JMS subscriptions have consumers and stay.")
                + (deleted.complete() ? "" : " There was no time for the rest; make the request again.");
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("Sessions", deleted.sessions());
        more.put("DurableSubscriptions", deleted.durables());
        more.put("Retained", deleted.retained());
        more.put("Connected", (long) connected);
        more.put("ConnectedClientID", deleted.connected().stream().limit(NAMED).toList());
        more.put("Consumed", (long) consumed);
        more.put(
                "ConsumedSubscription",
                deleted.consumed().stream()
                        .limit(NAMED)
                        .map(SubscriptionId::toString)
                        .toList());
        more.put("Complete", deleted.complete());
        Answer.done(context, Code.DONE, message, more);
    }

    /** Nothing fits an empty expression, which was not given. */
    private Predicate<String> expression(String name, String text) throws Refusal {
        return text.isEmpty() ? value -> false : RegularExpression.of(name, text, clock);
    }

    private static int waitSeconds(Context context) throws Refusal {
        String given = ListQuery.text(context, "Wait");
        if (given.isEmpty()) {
            return WAIT_S;
        }
        int seconds = given.matches("[0-9]{1,4}") ? Integer.parseInt(given) : -1;
        if (seconds < 0 || seconds > WAIT_MAX_S) {
            throw new Refusal(
                    Code.INVALID, String.format(Locale.ROOT, "Wait is 0 to %d seconds, not '%s'", WAIT_MAX_S, given));
        }
        return seconds;
    }

    private ClientSets sets() throws Refusal {
        RunningBroker running = broker.get();
        ClientSets sets = running == null ? null : running.clientSets();
        if (sets == null) {
            throw broker.absent();
        }
        return sets;
    }
}
