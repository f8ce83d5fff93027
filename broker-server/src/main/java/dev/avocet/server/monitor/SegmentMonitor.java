package dev.avocet.server.monitor;

import dev.avocet.core.store.reclaim.SegmentState;
import dev.avocet.core.store.reclaim.SegmentState.Keeper;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Filter;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.RowBudget;
import dev.avocet.server.monitor.table.Selection;
import dev.avocet.server.monitor.table.StatType;
import dev.avocet.server.monitor.table.Table;
import dev.avocet.server.monitor.table.Top;
import dev.avocet.server.store.StoreMonitor;
import java.util.ArrayList;
import java.util.List;

/** The segments of the store's journal, and why each is there. */
record SegmentMonitor(StoreFacts facts) {
    Monitored type(RowBudget budget) {
        List<StatType<SegmentState>> orders = new ArrayList<>();
        orders.add(StatType.lowest("Oldest", SegmentState::number));
        orders.add(StatType.highest("Newest", SegmentState::number));
        orders.addAll(StatType.both("LiveReferences", SegmentState::liveReferences));
        orders.addAll(StatType.both("LiveBytes", SegmentState::liveBytes));
        orders.addAll(StatType.both("LivePercent", SegmentState::livePercent));
        orders.addAll(StatType.both("SizeBytes", SegmentState::sizeBytes));
        orders.add(StatType.unsorted());
        return new Table<>(
                "Segment",
                "The segments of the store's journal, and why each is kept",
                List.of(
                        Column.text("File", "Its file.", SegmentState::file),
                        Column.number("Number", "Its number; older ones have smaller ones.", SegmentState::number),
                        Column.text(
                                "KeptFor",
                                "Why it is kept; see KeptFor of the request.",
                                row -> row.keeper().toString()),
                        Column.number("SizeBytes", "The room on disk that it takes.", SegmentState::sizeBytes),
                        Column.number(
                                "LiveReferences",
                                "Queues, subscriptions and topics that need a message in it.",
                                SegmentState::liveReferences),
                        Column.number("LiveBytes", "What those messages take.", SegmentState::liveBytes),
                        Column.percent("LivePercent", "LiveBytes as a share of SizeBytes.", SegmentState::livePercent)),
                List.of(
                        Filter.pattern("File", "Its file.", SegmentState::file),
                        Filter.<SegmentState>choice(
                                        "KeptFor",
                                        "Why they are kept: it is being written, messages in it are needed, a standby or"
                                                + " another reader needs it, the next checkpoints are awaited, the disk has"
                                                + " not given its room back, or its references are counted wrongly.")
                                .with("All", row -> true)
                                .with(Keeper.WRITER.toString(), row -> row.keeper() == Keeper.WRITER)
                                .with(Keeper.MESSAGES.toString(), row -> row.keeper() == Keeper.MESSAGES)
                                .with(Keeper.READER.toString(), row -> row.keeper() == Keeper.READER)
                                .with(Keeper.CHECKPOINT.toString(), row -> row.keeper() == Keeper.CHECKPOINT)
                                .with(Keeper.DISK.toString(), row -> row.keeper() == Keeper.DISK)
                                .with(Keeper.MISCOUNT.toString(), row -> row.keeper() == Keeper.MISCOUNT)
                                .end()),
                orders,
                budget,
                this::select);
    }

    private Top<SegmentState> select(Selection<SegmentState> selection) {
        Top<SegmentState> top = selection.top();
        StoreMonitor store = facts.monitor();
        if (store != null) {
            store.segments().forEach(segment -> selection.offer(segment, top));
        }
        return top;
    }
}
