package dev.avocet.server.monitor;

import dev.avocet.core.metrics.Counter;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Filter;
import dev.avocet.server.monitor.table.MonitorException;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.Question;
import dev.avocet.server.monitor.table.RowBudget;
import dev.avocet.server.monitor.table.Selection;
import dev.avocet.server.monitor.table.StatType;
import dev.avocet.server.monitor.table.Table;
import dev.avocet.server.monitor.table.Times;
import dev.avocet.server.monitor.table.Top;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The endpoints, and how each of them was. Any thread. */
final class EndpointMonitor {
    private static final String NAME = "Endpoint";
    /** As the reference product says that a port is in use. */
    private static final long CANNOT_LISTEN = 155;

    private static final Map<String, ToLongFunction<EndpointFacts>> FIGURES = figures();
    /** In place of a name, for all endpoints together; no endpoint is called that. */
    private static final String TOGETHER = "";

    private final Supplier<List<EndpointFacts>> endpoints;
    private final Map<String, History> histories = new ConcurrentHashMap<>();

    EndpointMonitor(Supplier<List<EndpointFacts>> endpoints) {
        this.endpoints = endpoints;
    }

    Monitored type(RowBudget budget) {
        List<StatType<EndpointFacts>> orders = new ArrayList<>();
        FIGURES.forEach((name, figure) -> orders.add(StatType.highest(name, figure::applyAsLong)));
        Table<EndpointFacts> current = new Table<>(
                NAME,
                "The addresses on which clients are served",
                columns(),
                List.of(Filter.pattern("Name", "What it is called.", EndpointFacts::name)),
                orders,
                budget,
                this::select);
        return new Historical(current, List.copyOf(FIGURES.keySet()), this::history);
    }

    List<EndpointFacts> all() {
        return endpoints.get();
    }

    /** Takes a sample of each endpoint. */
    void sample(long nowNs, long nowMs) {
        List<EndpointFacts> now = endpoints.get();
        long[] together = new long[FIGURES.size()];
        for (EndpointFacts endpoint : now) {
            long[] values = FIGURES.values().stream()
                    .mapToLong(figure -> figure.applyAsLong(endpoint))
                    .toArray();
            historyOf(endpoint.name()).sample(nowNs, nowMs, values);
            for (int i = 0; i < values.length; i++) {
                together[i] += values[i];
            }
        }
        historyOf(TOGETHER).sample(nowNs, nowMs, together);
        histories
                .keySet()
                .removeIf(name -> !name.isEmpty()
                        && now.stream().noneMatch(endpoint -> endpoint.name().equals(name)));
    }

    private Top<EndpointFacts> select(Selection<EndpointFacts> selection) {
        Top<EndpointFacts> top = selection.top();
        endpoints.get().forEach(endpoint -> selection.offer(endpoint, top));
        return top;
    }

    private History historyOf(String name) {
        return histories.computeIfAbsent(name, unused -> new History(List.copyOf(FIGURES.keySet())));
    }

    private History history(@Nullable String name) throws MonitorException {
        List<String> names = endpoints.get().stream().map(EndpointFacts::name).toList();
        if (name != null && !names.contains(name)) {
            throw new MonitorException(
                    MonitorException.Reason.NOT_FOUND,
                    "there is no endpoint '" + name + "'" + Question.advice(name, names) + "there are: "
                            + String.join(", ", names));
        }
        return historyOf(name == null ? TOGETHER : name);
    }

    private static Map<String, ToLongFunction<EndpointFacts>> figures() {
        Map<String, ToLongFunction<EndpointFacts>> figures = new LinkedHashMap<>();
        figures.put("ActiveConnections", endpoint -> endpoint.get(Counter.CONNECTIONS_ACTIVE));
        figures.put("Connections", endpoint -> endpoint.get(Counter.CONNECTIONS_ACCEPTED));
        figures.put("BadConnections", endpoint -> endpoint.get(Counter.CONNECTIONS_BAD));
        figures.put("LostMsgs", endpoint -> endpoint.get(Counter.PUBLISHES_REFUSED));
        figures.put("WarnMsgs", endpoint -> endpoint.get(Counter.PUBLISHES_INCOMPLETE));
        figures.put("ReadMsgs", endpoint -> endpoint.get(Counter.MESSAGES_RECEIVED));
        figures.put("ReadBytes", endpoint -> endpoint.get(Counter.BYTES_RECEIVED));
        figures.put("WriteMsgs", endpoint -> endpoint.get(Counter.MESSAGES_DELIVERED));
        figures.put("WriteBytes", endpoint -> endpoint.get(Counter.BYTES_SENT));
        return figures;
    }

    private static List<Column<EndpointFacts>> columns() {
        return List.of(
                Column.text("Name", "What it is called.", EndpointFacts::name),
                Column.text("IPAddr", "The address on which it listens; empty when it does not.", EndpointMonitor::ip),
                Column.number("Port", "The port; 0 when it does not listen.", EndpointMonitor::port),
                Column.truth("Enabled", "Whether it should accept connections.", EndpointFacts::enabled),
                Column.number("Total", "Connections accepted.", endpoint -> endpoint.get(Counter.CONNECTIONS_ACCEPTED)),
                Column.number("Active", "Connections open now.", endpoint -> endpoint.get(Counter.CONNECTIONS_ACTIVE)),
                Column.number(
                        "Messages",
                        "Messages received and sent.",
                        endpoint -> endpoint.get(Counter.MESSAGES_RECEIVED) + endpoint.get(Counter.MESSAGES_DELIVERED)),
                Column.number(
                        "Bytes",
                        "Bytes received and sent.",
                        endpoint -> endpoint.get(Counter.BYTES_RECEIVED) + endpoint.get(Counter.BYTES_SENT)),
                figure("ReadMsgs", "Messages that clients published."),
                figure("WriteMsgs", "Messages sent to clients."),
                figure("ReadBytes", "Bytes received from clients."),
                figure("WriteBytes", "Bytes sent to clients."),
                figure("LostMsgs", "Publishes that failed as a whole."),
                figure("WarnMsgs", "Publishes that were taken, though one or more full subscriptions went without."),
                figure("BadConnections", "Connections closed before their first packet was accepted."),
                Column.number(
                        "LastErrorCode",
                        "0, or " + CANNOT_LISTEN + " when it should listen and cannot.",
                        endpoint -> endpoint.problem() == null ? 0 : CANNOT_LISTEN),
                Column.text(
                        "ErrorMessage",
                        "Why it does not listen although it should.",
                        endpoint -> Objects.requireNonNullElse(endpoint.problem(), "")),
                Column.text(
                        "ConfigTime",
                        "Since when it listens as it does.",
                        endpoint -> Times.text(endpoint.configuredAtMs())),
                Column.text(
                        "ResetTime",
                        "Since when its figures are counted.",
                        endpoint -> Times.text(endpoint.countedSinceMs())));
    }

    private static Column<EndpointFacts> figure(String name, String description) {
        return Column.number(name, description, Objects.requireNonNull(FIGURES.get(name)));
    }

    private static String ip(EndpointFacts endpoint) {
        InetSocketAddress address = endpoint.address();
        return address == null ? "" : address.getAddress().getHostAddress();
    }

    private static long port(EndpointFacts endpoint) {
        InetSocketAddress address = endpoint.address();
        return address == null ? 0 : address.getPort();
    }
}
