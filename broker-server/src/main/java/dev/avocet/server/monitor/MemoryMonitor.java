package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.metrics.Counter;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.Single;
import java.util.List;

/** The memory of the process, and what takes it. Any thread. */
final class MemoryMonitor {
    /** What a reference to a stored message takes, its share of the arrays around it included. */
    private static final long REFERENCE_BYTES = 20;
    /** About what a session without messages takes. */
    private static final long SESSION_BYTES = 600;

    private final Broker broker;
    private final MemoryGuard guard;
    private final Single<Row> current =
            new Single<>("Memory", "The memory of the process, and what takes it", columns(), this::row);
    private final History history =
            new History(current.figures().stream().map(Column::name).toList());

    MemoryMonitor(Broker broker, MemoryGuard guard) {
        this.broker = broker;
        this.guard = guard;
    }

    Monitored type() {
        return new Historical(current, history.names(), name -> history);
    }

    void sample(long nowNs, long nowMs) {
        Row now = row();
        history.sample(
                nowNs,
                nowMs,
                current.figures().stream()
                        .mapToLong(column -> ((Number) column.value().apply(now)).longValue())
                        .toArray());
    }

    private Row row() {
        Runtime heap = Runtime.getRuntime();
        return new Row(
                heap.maxMemory(),
                guard.freePercent(),
                guard.level().name(),
                heap.totalMemory() - heap.freeMemory(),
                ProcessMemory.now(),
                Math.max(0, broker.metrics().get(Counter.BUFFERED_BYTES)),
                broker.retained().sizeBytes(),
                broker.storedReferences() * REFERENCE_BYTES,
                Math.max(0, broker.metrics().get(Counter.SESSIONS)) * SESSION_BYTES);
    }

    private static List<Column<Row>> columns() {
        return List.of(
                Column.number("MemoryTotalBytes", "The largest that the heap may be.", Row::totalBytes),
                Column.number("MemoryFreeBytes", "What of it is free, garbage included.", Row::freeBytes),
                Column.percent(
                        "MemoryFreePercent",
                        "The same as a share of it. The levels of memory depend on this.",
                        Row::freePercent),
                Column.number("HeapUsedBytes", "What of the heap is in use, garbage included.", Row::heapUsedBytes),
                Column.number(
                        "ServerVirtualMemoryBytes",
                        "Address space of the process; 0 where the operating system does not tell.",
                        row -> row.process().virtualBytes()),
                Column.number(
                        "ServerResidentSetBytes",
                        "What the process takes of the machine's memory; 0 where the operating system does not tell.",
                        row -> row.process().residentBytes()),
                Column.number("MessagePayloads", "Messages that wait or are in flight, in memory.", Row::bufferedBytes),
                Column.number("PublishSubscribe", "Retained messages.", Row::retainedBytes),
                Column.number("Destinations", "References to stored messages; an estimate.", Row::referenceBytes),
                Column.number(
                        "CurrentActivity",
                        "Buffers for what is received and sent.",
                        row -> row.process().networkBytes()),
                Column.number("ClientStates", "Sessions; an estimate.", Row::sessionBytes),
                Column.text("MemoryLevel", "How short of memory the broker is.", Row::level));
    }

    /** The memory at one time. */
    record Row(
            long totalBytes,
            double freePercent,
            String level,
            long heapUsedBytes,
            ProcessMemory process,
            long bufferedBytes,
            long retainedBytes,
            long referenceBytes,
            long sessionBytes) {
        long freeBytes() {
            return (long) (totalBytes * freePercent / 100);
        }
    }
}
