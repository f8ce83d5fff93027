package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.destination.NamedQueueStatistics;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Filter;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.RowBudget;
import dev.avocet.server.monitor.table.Selection;
import dev.avocet.server.monitor.table.StatType;
import dev.avocet.server.monitor.table.Table;
import dev.avocet.server.monitor.table.Top;
import java.util.ArrayList;
import java.util.List;

/** The queues that clients know by name. */
record QueueMonitor(Broker broker) {
    Monitored type(RowBudget budget) {
        return new Table<>(
                "Queue",
                "The queues, and what waits in them",
                columns(),
                List.of(Filter.pattern("Name", "What it is called.", NamedQueueStatistics::name)),
                orders(),
                budget,
                this::select);
    }

    private Top<NamedQueueStatistics> select(Selection<NamedQueueStatistics> selection) {
        Top<NamedQueueStatistics> top = selection.top();
        for (NamedQueue queue : broker.queues().all()) {
            selection.offer(queue.statistics(), top);
        }
        return top;
    }

    private static double bufferedPercent(NamedQueueStatistics queue) {
        return 100.0 * queue.buffered() / queue.maxMessages();
    }

    private static double highWaterPercent(NamedQueueStatistics queue) {
        return 100.0 * queue.highWaterMark() / queue.maxMessages();
    }

    private static List<StatType<NamedQueueStatistics>> orders() {
        List<StatType<NamedQueueStatistics>> orders = new ArrayList<>();
        orders.addAll(StatType.both("BufferedMsgs", NamedQueueStatistics::buffered));
        orders.addAll(StatType.both("BufferedPercent", QueueMonitor::bufferedPercent));
        orders.addAll(StatType.both("BufferedHWMPercent", QueueMonitor::highWaterPercent));
        orders.addAll(StatType.both("ProducedMsgs", NamedQueueStatistics::produced));
        orders.addAll(StatType.both("ConsumedMsgs", NamedQueueStatistics::consumed));
        orders.addAll(StatType.both("Consumers", NamedQueueStatistics::consumers));
        orders.addAll(StatType.both("Producers", NamedQueueStatistics::producers));
        orders.addAll(StatType.both("ExpiredMsgs", NamedQueueStatistics::expired));
        orders.add(StatType.unsorted());
        return orders;
    }

    private static List<Column<NamedQueueStatistics>> columns() {
        return List.of(
                Column.text("Name", "What it is called.", NamedQueueStatistics::name),
                Column.number("Producers", "Who means to send to it now.", NamedQueueStatistics::producers),
                Column.number(
                        "Consumers", "Receivers attached now, browsers included.", NamedQueueStatistics::consumers),
                Column.number("BufferedMsgs", "Messages that wait or are in flight.", NamedQueueStatistics::buffered),
                Column.number(
                        "BufferedMsgsHWM",
                        "The most that ever were since the start.",
                        NamedQueueStatistics::highWaterMark),
                Column.percent(
                        "BufferedPercent", "BufferedMsgs as a share of MaxMessages.", QueueMonitor::bufferedPercent),
                Column.percent(
                        "BufferedHWMPercent",
                        "BufferedMsgsHWM as a share of MaxMessages.",
                        QueueMonitor::highWaterPercent),
                Column.number(
                        "MaxMessages", "The most messages that may be buffered.", NamedQueueStatistics::maxMessages),
                Column.number("ProducedMsgs", "Messages that it took.", NamedQueueStatistics::produced),
                Column.number("ConsumedMsgs", "Messages that a receiver has accepted.", NamedQueueStatistics::consumed),
                Column.number(
                        "RejectedMsgs",
                        "Messages that it did not take because it was full.",
                        NamedQueueStatistics::rejected),
                Column.number("ExpiredMsgs", "Messages whose time ran out.", NamedQueueStatistics::expired),
                Column.number(
                        "DiscardedMsgs",
                        "Messages that no receiver could take and that went nowhere else.",
                        NamedQueueStatistics::discarded),
                Column.text("Kind", "Who made it.", queue -> queue.kind().name()));
    }
}
