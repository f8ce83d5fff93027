package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.metrics.Counter;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.Single;
import java.util.List;
import java.util.function.Supplier;

/** The broker as a whole. */
record ServerMonitor(Broker broker, Supplier<List<EndpointFacts>> endpoints) {
    Monitored type() {
        return new Single<>(
                "Server",
                "The broker as a whole",
                List.of(
                        counter("ActiveConnections", Counter.CONNECTIONS_ACTIVE),
                        counter("TotalConnections", Counter.CONNECTIONS_ACCEPTED),
                        counter("MsgRead", Counter.MESSAGES_RECEIVED),
                        counter("MsgWrite", Counter.MESSAGES_DELIVERED),
                        counter("BytesRead", Counter.BYTES_RECEIVED),
                        counter("BytesWrite", Counter.BYTES_SENT),
                        counter("BadConnCount", Counter.CONNECTIONS_BAD),
                        Column.number(
                                "TotalEndpoints",
                                "Endpoints, listening or not.",
                                now -> now.endpoints.get().size()),
                        counter("BufferedMessages", Counter.BUFFERED_MESSAGES),
                        Column.number(
                                "RetainedMessages",
                                "Topics that hold a retained message.",
                                now -> now.broker.retained().count()),
                        counter("ExpiredMessages", Counter.MESSAGES_EXPIRED),
                        counter("RejectedMessages", Counter.MESSAGES_REJECTED),
                        counter("DiscardedMessages", Counter.MESSAGES_DISCARDED),
                        counter("ClientSessions", Counter.SESSIONS),
                        counter("Subscriptions", Counter.SUBSCRIPTIONS)),
                () -> this);
    }

    private static Column<ServerMonitor> counter(String name, Counter counter) {
        return Column.number(
                name,
                counter.description() + ".",
                now -> Math.max(0, now.broker.metrics().get(counter)));
    }
}
