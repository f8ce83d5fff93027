package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LoopWalk;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.ConnectionFigures;
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
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of clients that have a session. */
record ConnectionMonitor(Broker broker, Loops loops, Clock clock) {
    Monitored type(RowBudget budget) {
        return new Table<>(
                "Connection",
                "The connections of clients",
                columns(),
                List.of(
                        Filter.pattern("Name", "The client identifier.", Row::clientId),
                        Filter.pattern("ClientID", "The same.", Row::clientId),
                        Filter.pattern("ClientAddr", "Where the client is.", Row::address),
                        Filter.pattern("UserID", "Who the client is.", Row::userName),
                        Filter.pattern("Endpoint", "Where it has connected.", Row::endpoint),
                        Filter.pattern(
                                "Protocol",
                                "What it speaks.",
                                row -> row.figures().protocol())),
                List.of(
                        StatType.lowest("NewestConnection", Row::durationNs),
                        StatType.highest("OldestConnection", Row::durationNs),
                        StatType.highest("HighestThroughputMsgs", Row::messagesPerSecond),
                        StatType.lowest("LowestThroughputMsgs", Row::messagesPerSecond),
                        StatType.highest("HighestThroughputKB", Row::bytesPerSecond),
                        StatType.lowest("LowestThroughputKB", Row::bytesPerSecond),
                        StatType.unsorted()),
                budget,
                selection -> loops.collect(selection, (loop, top) -> search(loop, selection, top)));
    }

    private CompletableFuture<Void> search(IoLoop loop, Selection<Row> selection, Top<Row> top) {
        return LoopWalk.begin(loop, broker.sessions().all(), session -> {
            ConnectedClient client = session.home() == loop ? session.client() : null;
            if (client != null) {
                selection.offer(row(session, client), top);
            }
        });
    }

    private Row row(ClientSession session, ConnectedClient client) {
        ClientOrigin origin = client.origin();
        InetAddress address = origin == null ? null : origin.address();
        ConnectionFigures figures = client.figures();
        return new Row(
                session.clientId(),
                address,
                Objects.requireNonNullElse(client.identity().userName(), ""),
                origin == null ? "" : origin.endpoint(),
                clock.nanoTime() - figures.connectedAtNs(),
                figures);
    }

    private List<Column<Row>> columns() {
        return List.of(
                Column.text("Name", "The client identifier.", Row::clientId),
                Column.text(
                        "Protocol",
                        "What the client speaks.",
                        row -> row.figures().protocol()),
                Column.text("ClientAddr", "Where the client is.", Row::address),
                Column.text(
                        "UserId",
                        "The user that the client has proved to be; empty where it gave no name.",
                        Row::userName),
                Column.text("Endpoint", "Where it has connected.", Row::endpoint),
                Column.number(
                        "Port",
                        "The port of the endpoint.",
                        row -> row.figures().port()),
                Column.text(
                        "ConnectTime",
                        "When it connected.",
                        row -> Times.text(Times.wallMs(clock, row.figures().connectedAtNs()))),
                Column.number("Duration", "How long ago that is, in nanoseconds.", Row::durationNs),
                Column.number(
                        "ReadBytes",
                        "Bytes received from it.",
                        row -> row.figures().receivedBytes()),
                Column.number(
                        "ReadMsg",
                        "Messages that it has published.",
                        row -> row.figures().receivedMessages()),
                Column.number(
                        "WriteBytes", "Bytes sent to it.", row -> row.figures().sentBytes()),
                Column.number(
                        "WriteMsg", "Messages sent to it.", row -> row.figures().sentMessages()));
    }

    /** A connection. */
    record Row(
            String clientId,
            @Nullable InetAddress inetAddress,
            String userName,
            String endpoint,
            long durationNs,
            ConnectionFigures figures) {
        String address() {
            return inetAddress == null ? "" : inetAddress.getHostAddress();
        }

        double messagesPerSecond() {
            return perSecond(figures.receivedMessages() + figures.sentMessages());
        }

        double bytesPerSecond() {
            return perSecond(figures.receivedBytes() + figures.sentBytes());
        }

        private double perSecond(long amount) {
            return amount * (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, durationNs);
        }
    }
}
