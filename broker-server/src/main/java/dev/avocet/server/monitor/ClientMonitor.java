package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LoopWalk;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.time.Clock;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Filter;
import dev.avocet.server.monitor.table.Loops;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.RowBudget;
import dev.avocet.server.monitor.table.Selection;
import dev.avocet.server.monitor.table.StatType;
import dev.avocet.server.monitor.table.Table;
import dev.avocet.server.monitor.table.Times;
import dev.avocet.server.monitor.table.Top;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The sessions of clients, connected or not. */
record ClientMonitor(Broker broker, Loops loops, Clock clock) {
    Monitored type(RowBudget budget) {
        return new Table<>(
                "MQTTClient",
                "The clients that have a session, connected or not",
                columns(),
                List.of(
                        Filter.pattern("ClientID", "The client identifier.", Row::clientId),
                        Filter.pattern("Protocol", "What the client speaks.", Row::protocol),
                        Filter.<Row>choice("ConnectionState", "Which of them.")
                                .with("Disconnected", row -> !row.isConnected())
                                .with("Connected", Row::isConnected)
                                .with("All", row -> true)
                                .end()),
                List.of(StatType.lowest("LastConnectedTimeOldest", Row::lastConnectedNs), StatType.unsorted()),
                budget,
                selection -> loops.collect(selection, (loop, top) -> search(loop, selection, top)));
    }

    private CompletableFuture<Void> search(IoLoop loop, Selection<Row> selection, Top<Row> top) {
        return LoopWalk.begin(loop, broker.sessions().all(), session -> {
            if (session.home() == loop && !session.hasEnded() && isClients(session)) {
                selection.offer(row(session), top);
            }
        });
    }

    /** Others have sessions too: administrators for what they make, and clients of other protocols. */
    private static boolean isClients(ClientSession session) {
        ProtocolState state = session.protocolState();
        return !session.isKeeper() && state != null && state.protocol().startsWith("mqtt");
    }

    private static Row row(ClientSession session) {
        ConnectedClient client = session.client();
        ProtocolState state = session.protocolState();
        return new Row(
                session.clientId(),
                state == null ? "" : state.protocol(),
                client != null,
                client == null ? session.disconnectedAtNs() : client.figures().connectedAtNs(),
                session.expirySeconds(),
                session.subscriptions().size());
    }

    private List<Column<Row>> columns() {
        return List.of(
                Column.text("ClientID", "The client identifier.", Row::clientId),
                Column.text("Protocol", "What the client speaks.", Row::protocol),
                Column.truth("IsConnected", "Whether it is connected now.", Row::isConnected),
                Column.text(
                        "LastConnectedTime",
                        "When it went away; of one that is connected, when it came.",
                        row -> Times.text(Times.wallMs(clock, row.lastConnectedNs()))),
                Column.number(
                        "SessionExpirySeconds",
                        "How long the session outlives its connection; " + ClientSession.NEVER_EXPIRES + " for ever.",
                        Row::expirySeconds),
                Column.number("Subscriptions", "Subscriptions of the session.", Row::subscriptions));
    }

    /** A session. */
    record Row(
            String clientId,
            String protocol,
            boolean isConnected,
            long lastConnectedNs,
            long expirySeconds,
            int subscriptions) {}
}
