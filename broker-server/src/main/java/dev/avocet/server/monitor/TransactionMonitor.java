package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Filter;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.RowBudget;
import dev.avocet.server.monitor.table.Selection;
import dev.avocet.server.monitor.table.StatType;
import dev.avocet.server.monitor.table.Table;
import dev.avocet.server.monitor.table.Times;
import dev.avocet.server.monitor.table.Top;
import java.util.List;

/** The transactions in doubt: prepared, and only their coordinator knows whether they are to be committed. */
record TransactionMonitor(Broker broker) {
    Monitored type(RowBudget budget) {
        return new Table<>(
                "Transaction",
                "The transactions that are prepared and wait for their coordinator",
                List.of(
                        Column.text("XID", "What the coordinator calls it.", Row::xid),
                        Column.text("TranState", "How far it has come.", row -> "Prepared"),
                        Column.text(
                                "LastStateChangeTime",
                                "When it was prepared, or came back after a restart.",
                                row -> Times.text(row.preparedAtMs()))),
                List.of(
                        Filter.pattern("XID", "What the coordinator calls it.", Row::xid),
                        Filter.<Row>choice(
                                        "TranState", "Which of them. Nothing is remembered of those that have ended.")
                                .with("All", row -> true)
                                .with("Prepared", row -> true)
                                .with("Heuristic", row -> false)
                                .with("HeuristicCommit", row -> false)
                                .with("HeuristicRollback", row -> false)
                                .end()),
                List.of(
                        StatType.lowest("LastStateChangeTime", Row::preparedAtMs),
                        new StatType<>("Unsorted", null),
                        StatType.unsorted()),
                budget,
                this::select);
    }

    private Top<Row> select(Selection<Row> selection) {
        Top<Row> top = selection.top();
        for (Transaction transaction : broker.transactions().inDoubt()) {
            selection.offer(new Row(String.valueOf(transaction.branch()), transaction.preparedAtMs()), top);
        }
        return top;
    }

    /** A transaction. */
    record Row(String xid, long preparedAtMs) {}
}
