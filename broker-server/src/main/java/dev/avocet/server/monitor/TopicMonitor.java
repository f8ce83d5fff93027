package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.topic.TopicFigures;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Filter;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.RowBudget;
import dev.avocet.server.monitor.table.Selection;
import dev.avocet.server.monitor.table.StatType;
import dev.avocet.server.monitor.table.Table;
import dev.avocet.server.monitor.table.Times;
import dev.avocet.server.monitor.table.Top;
import java.util.ArrayList;
import java.util.List;

/** The parts of the topics that TopicMonitor objects name. */
record TopicMonitor(Broker broker) {
    Monitored type(RowBudget budget) {
        List<StatType<Row>> orders = new ArrayList<>();
        orders.addAll(StatType.both("PublishedMsgs", Row::published));
        orders.addAll(StatType.both("Subscriptions", Row::subscriptions));
        orders.addAll(StatType.both("RejectedMsgs", Row::rejected));
        orders.addAll(StatType.both("FailedPublishes", Row::failed));
        orders.add(StatType.unsorted());
        return new Table<>(
                "Topic",
                "What is published to the topics that TopicMonitor objects name",
                List.of(
                        Column.text("TopicString", "Which topics.", Row::filter),
                        Column.number(
                                "Subscriptions",
                                "Subscriptions that match one of them; shared ones count once.",
                                Row::subscriptions),
                        Column.text("ResetTime", "Since when is counted.", row -> Times.text(row.sinceMs())),
                        Column.number("PublishedMsgs", "Messages that were taken.", Row::published),
                        Column.number(
                                "RejectedMsgs",
                                "Messages that full subscriptions did not take, once for each.",
                                Row::rejected),
                        Column.number("FailedPublishes", "Publishes that failed as a whole.", Row::failed)),
                List.of(Filter.pattern("TopicString", "Which topics.", Row::filter)),
                orders,
                budget,
                this::select);
    }

    private Top<Row> select(Selection<Row> selection) {
        Top<Row> top = selection.top();
        rows().forEach(row -> selection.offer(row, top));
        return top;
    }

    List<Row> rows() {
        return broker.monitors().all().stream().map(this::row).toList();
    }

    private Row row(TopicFigures figures) {
        return new Row(
                figures.filter().text(),
                broker.subscriptionsTo(figures),
                figures.sinceMs(),
                figures.published(),
                figures.rejected(),
                figures.failed());
    }

    /** A part of the topics. */
    record Row(String filter, long subscriptions, long sinceMs, long published, long rejected, long failed) {}
}
