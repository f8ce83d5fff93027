package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LoopWalk;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueStatistics;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.session.SharedSubscriptions.Shared;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Filter;
import dev.avocet.server.monitor.table.Loops;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.RowBudget;
import dev.avocet.server.monitor.table.Selection;
import dev.avocet.server.monitor.table.StatType;
import dev.avocet.server.monitor.table.Table;
import dev.avocet.server.monitor.table.Top;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The subscriptions of clients, and those that several share, which are shown once. */
record SubscriptionMonitor(Broker broker, Loops loops) {
    private static final String OWNER =
            "Whose it is; __Shared, __SharedND or __SharedM for one that is shared and no client's.";

    Monitored type(RowBudget budget) {
        return new Table<>(
                "Subscription",
                "The subscriptions, and what waits for them",
                columns(),
                List.of(
                        Filter.pattern(
                                "SubName", "What it is called.", row -> row.id().name()),
                        Filter.pattern("TopicString", "The topic filter.", Row::filter),
                        Filter.pattern("ClientID", OWNER, row -> row.id().owner()),
                        Filter.pattern("MessagingPolicy", "The policy under which it was made.", Row::policyName),
                        Filter.<Row>choice("SubType", "Which of them.")
                                .with("All", row -> true)
                                .with("Durable", Row::durable)
                                .with("Nondurable", row -> !row.durable())
                                .with("Shared", Row::shared)
                                .with("Nonshared", row -> !row.shared())
                                .with("Admin", row -> !row.configType().isEmpty())
                                .end()),
                orders(),
                budget,
                selection -> loops.collect(selection, (loop, top) -> search(loop, selection, top)));
    }

    private CompletableFuture<Void> search(IoLoop loop, Selection<Row> selection, Top<Row> top) {
        List<Shared> shared = broker.subscriptions().shared();
        return LoopWalk.begin(loop, shared, each -> visit(each, loop, selection, top))
                .thenCompose(done ->
                        LoopWalk.begin(loop, broker.sessions().all(), session -> visit(session, loop, selection, top)));
    }

    private static void visit(Shared shared, IoLoop loop, Selection<Row> selection, Top<Row> top) {
        MessageQueue queue = shared.subscription().queue();
        if (queue.home() == loop && !queue.isClosed()) {
            selection.offer(
                    row(
                            shared.id(),
                            shared.subscription().filter().text(),
                            shared.durable(),
                            shared.isShared(),
                            shared.administered() ? configType(shared.id()) : "",
                            queue),
                    top);
        }
    }

    private static void visit(ClientSession session, IoLoop loop, Selection<Row> selection, Top<Row> top) {
        if (session.home() == loop && !session.hasEnded()) {
            boolean durable = session.expirySeconds() > 0;
            session.subscriptionsByKey().forEach((key, subscription) -> {
                if (!subscription.isShared()) {
                    String filter = subscription.filter().text();
                    selection.offer(
                            row(
                                    new SubscriptionId(session.clientId(), key),
                                    filter,
                                    durable,
                                    false,
                                    "",
                                    subscription.queue()),
                            top);
                }
            });
        }
    }

    private static Row row(
            SubscriptionId id, String filter, boolean durable, boolean shared, String configType, MessageQueue queue) {
        QueueLimits limits = queue.limits();
        return new Row(
                id, filter, durable, shared, configType, limits.maxMessages(), limits.policy(), queue.statistics());
    }

    /** The type of the object that made a shared subscription. */
    private static String configType(SubscriptionId id) {
        return switch (id.owner()) {
            case ShareNames.MIXED_OWNER -> "AdminSubscription";
            case ShareNames.DURABLE_OWNER -> "DurableNamespaceAdminSub";
            default -> "NonpersistentAdminSub";
        };
    }

    private static List<StatType<Row>> orders() {
        List<StatType<Row>> orders = new ArrayList<>();
        add(orders, "PublishedMsgs", row -> row.figures().published());
        add(orders, "BufferedMsgs", row -> row.figures().buffered());
        add(orders, "BufferedPercent", Row::bufferedPercent);
        add(orders, "BufferedHWMPercent", Row::highWaterPercent);
        add(orders, "RejectedMsgs", row -> row.figures().rejected());
        add(orders, "DiscardedMsgs", row -> row.figures().discarded());
        add(orders, "ExpiredMsgs", row -> row.figures().expired());
        orders.add(StatType.unsorted());
        return orders;
    }

    private static void add(List<StatType<Row>> orders, String figure, ToDoubleFunction<Row> value) {
        orders.addAll(StatType.both(figure, value));
    }

    private static List<Column<Row>> columns() {
        return List.of(
                Column.text("SubName", "What it is called.", row -> row.id().name()),
                Column.text("TopicString", "The topic filter.", Row::filter),
                Column.text("ClientID", OWNER, row -> row.id().owner()),
                Column.truth("IsDurable", "Whether it outlives the connection.", Row::durable),
                Column.truth("IsShared", "Whether several clients share it.", Row::shared),
                Column.number(
                        "BufferedMsgs",
                        "Messages that wait or are in flight.",
                        row -> row.figures().buffered()),
                Column.number(
                        "BufferedMsgsHWM",
                        "The most that ever were since the start.",
                        row -> row.figures().highWaterMark()),
                Column.percent("BufferedPercent", "BufferedMsgs as a share of MaxMessages.", Row::bufferedPercent),
                Column.percent(
                        "BufferedHWMPercent", "BufferedMsgsHWM as a share of MaxMessages.", Row::highWaterPercent),
                Column.number("MaxMessages", "The most messages that may be buffered.", Row::maxMessages),
                Column.number(
                        "PublishedMsgs",
                        "Messages that it took.",
                        row -> row.figures().published()),
                Column.number(
                        "RejectedMsgs",
                        "Messages that it did not take because it was full.",
                        row -> row.figures().rejected()),
                Column.number(
                        "DiscardedMsgs",
                        "Messages removed to make room for newer ones.",
                        row -> row.figures().discarded()),
                Column.number(
                        "ExpiredMsgs",
                        "Messages whose time ran out while they waited.",
                        row -> row.figures().expired()),
                Column.number(
                        "StoredBytes",
                        "What waits of it on disk, in bytes.",
                        row -> row.figures().storedBytes()),
                Column.number(
                        "Consumers",
                        "Connections that take its messages now.",
                        row -> row.figures().consumers()),
                Column.text("MessagingPolicy", "The policy under which it was made.", Row::policyName),
                Column.text("PolicyType", "What kind of a policy that is.", Row::policyType),
                Column.text(
                        "ConfigType", "The type of the object that made it; empty if a client did.", Row::configType));
    }

    /** A subscription. */
    record Row(
            SubscriptionId id,
            String filter,
            boolean durable,
            boolean shared,
            String configType,
            int maxMessages,
            @Nullable ObjectKey policy,
            QueueStatistics figures) {
        double bufferedPercent() {
            return 100.0 * figures.buffered() / maxMessages;
        }

        double highWaterPercent() {
            return 100.0 * figures.highWaterMark() / maxMessages;
        }

        String policyName() {
            return policy == null ? "" : policy.name();
        }

        String policyType() {
            return policy == null ? "" : policy.type().name();
        }
    }
}
