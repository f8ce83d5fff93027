package dev.avocet.server.rest.messaging;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.TransactionAdministration;
import dev.avocet.server.broker.content.TransactionFacts;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.ListQuery;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Lists transactions that are in doubt, and ends them in the place of their coordinators. */
public final class TransactionRequests {
    private static final Set<AdminAction> SEE =
            Set.of(AdminAction.VIEW, AdminAction.MONITOR, AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final String XID = "XID";
    private static final String USER_ID = "UserID";
    private static final String UNSORTED = "Unsorted";

    private final PresentBroker broker;
    private final AuditLog audit;

    /** @param broker null while none serves clients */
    public TransactionRequests(PresentBroker broker, AuditLog audit) {
        this.broker = broker;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.GET,
                        "/service/Transaction",
                        "The transactions that are in doubt, and those that administrators have ended, which fit XID and"
                                + " TranState (All, Prepared, Heuristic, HeuristicCommit, HeuristicRollback) and UserID; in the"
                                + " order of StatType (Unsorted, OldestFirst, NewestFirst, MessagesHighest,"
                                + " AcknowledgementsHighest), ResultCount of them behind the first ResultOffset (all). Found"
                                + " says how many there are",
                        SEE,
                        this::list),
                new RestRoute(
                        HandlerType.POST,
                        "/service/commit/transaction",
                        "Commits the prepared transaction XID in the place of its coordinator",
                        SERVE,
                        this::commit),
                new RestRoute(
                        HandlerType.POST,
                        "/service/rollback/transaction",
                        "Rolls the prepared transaction XID back in the place of its coordinator",
                        SERVE,
                        this::rollback),
                new RestRoute(
                        HandlerType.POST,
                        "/service/forget/transaction",
                        "Remembers no longer how an administrator has ended the transaction XID",
                        SERVE,
                        this::forget));
    }

    private void list(Context context, Administrator who) throws Refusal {
        Predicate<String> branch = ListQuery.pattern(context, XID);
        String state = ListQuery.choice(
                context, "TranState", List.of("All", "Prepared", "Heuristic", "HeuristicCommit", "HeuristicRollback"));
        Predicate<String> user = ListQuery.pattern(context, USER_ID);
        Comparator<TransactionFacts> order = order(context);
        int count =
                ListQuery.text(context, "ResultCount").isEmpty() ? Integer.MAX_VALUE : ListQuery.resultCount(context);
        long offset = ListQuery.resultOffset(context);
        try {
            List<TransactionFacts> found = transactions().list().stream()
                    .filter(each -> branch.test(each.branch()))
                    .filter(each -> user.test(Objects.requireNonNullElse(each.user(), "")))
                    .filter(each -> state.equals("All")
                            || each.state().toString().equals(state)
                            || (state.equals("Heuristic") && each.state() != TransactionFacts.State.PREPARED))
                    .sorted(order)
                    .toList();
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("Found", (long) found.size());
            answer.put(
                    "Transaction",
                    found.stream()
                            .skip(offset)
                            .limit(count)
                            .map(TransactionRequests::tree)
                            .toList());
            Answer.objects(context, answer);
        } catch (NotInTimeException e) {
            throw notInTime(e);
        }
    }

    /** What is equal is in the order of its identifiers, so that page follows upon page; but for the first word. */
    private static Comparator<TransactionFacts> order(Context context) throws Refusal {
        String word = ListQuery.choice(
                context,
                "StatType",
                List.of(UNSORTED, "OldestFirst", "NewestFirst", "MessagesHighest", "AcknowledgementsHighest"));
        Comparator<TransactionFacts> order =
                switch (word) {
                    case "OldestFirst" -> Comparator.comparingLong(TransactionFacts::preparedAtMs);
                    case "NewestFirst" ->
                        Comparator.comparingLong(TransactionFacts::preparedAtMs).reversed();
                    case "MessagesHighest" ->
                        Comparator.comparingInt(TransactionFacts::messages).reversed();
                    case "AcknowledgementsHighest" ->
                        Comparator.comparingInt(TransactionFacts::acknowledgements)
                                .reversed();
                    default -> Comparator.comparing(TransactionFacts::state);
                };
        return word.equals(UNSORTED) ? order : order.thenComparing(TransactionFacts::branch);
    }

    private static Map<String, Object> tree(TransactionFacts facts) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(XID, facts.branch());
        tree.put("TranState", facts.state().toString());
        tree.put(USER_ID, facts.user() == null ? "" : facts.user());
        tree.put(
                "PreparedAt",
                facts.preparedAtMs() == 0
                        ? ""
                        : Instant.ofEpochMilli(facts.preparedAtMs()).toString());
        tree.put("Messages", (long) facts.messages());
        tree.put("Acknowledgements", (long) facts.acknowledgements());
        return tree;
    }

    private void commit(Context context, Administrator who) throws Refusal {
        BranchId branch = branch(context);
        try {
            answer(context, who, branch, transactions().commit(branch), "committed");
        } catch (NotInTimeException e) {
            throw notInTime(e);
        }
    }

    private void rollback(Context context, Administrator who) throws Refusal {
        BranchId branch = branch(context);
        try {
            answer(context, who, branch, transactions().rollback(branch), "rolled back");
        } catch (NotInTimeException e) {
            throw notInTime(e);
        }
    }

    private void forget(Context context, Administrator who) throws Refusal {
        BranchId branch = branch(context);
        if (transactions().isInDoubt(branch)) {
            throw new Refusal(
                    Code.IN_USE,
                    "transaction " + branch + " is in doubt; commit it or roll it back before it is forgotten");
        }
        if (!transactions().forget(branch)) {
            throw unknown(branch);
        }
        audit.did(who, "had transaction " + branch + " forgotten");
        Answer.done(context, Code.DONE, "The transaction is forgotten.", Map.of());
    }

    private void answer(Context context, Administrator who, BranchId branch, TransactionOutcome outcome, String what)
            throws Refusal {
        if (outcome == TransactionOutcome.UNKNOWN_BRANCH) {
            throw unknown(branch);
        }
        audit.did(who, what + " transaction " + branch + " in the place of its coordinator");
        Answer.done(context, Code.DONE, "The transaction is " + what + ".", Map.of());
    }

    private static Refusal unknown(BranchId branch) {
        return new Refusal(Code.NOT_FOUND, "no transaction " + branch + " is prepared, or waits to be forgotten");
    }

    private static Refusal notInTime(NotInTimeException why) {
        return new Refusal(Code.NOT_NOW, String.valueOf(why.getMessage()));
    }

    private static BranchId branch(Context context) throws Refusal {
        Object given = RequestBody.object(context).get(XID);
        if (!(given instanceof String text)) {
            throw new Refusal(Code.INVALID, XID + ": say which transaction, as text in quotes");
        }
        try {
            return BranchId.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Code.INVALID, XID + ": " + e.getMessage());
        }
    }

    private TransactionAdministration transactions() throws Refusal {
        RunningBroker running = broker.get();
        TransactionAdministration transactions = running == null ? null : running.transactions();
        if (transactions == null) {
            throw broker.absent();
        }
        return transactions;
    }
}
