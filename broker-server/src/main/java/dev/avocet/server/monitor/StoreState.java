package dev.avocet.server.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.MonitorException;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.Option;
import dev.avocet.server.monitor.table.Question;
import dev.avocet.server.monitor.table.Report;
import dev.avocet.server.store.StoreFigures;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.server.store.StoreJson;
import dev.avocet.server.store.StoreMonitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.List;

/** The store, its disk, and how both were. Any thread. */
final class StoreState implements Monitored {
    private static final List<String> FIGURES = List.of(
            "DiskUsedPercent",
            "DiskFreeBytes",
            "MemoryUsedPercent",
            "MemoryUsedBytes",
            "StoreBytes",
            "LiveBytes",
            "LiveReferences");

    private final StoreFacts facts;
    private final History history = new History(FIGURES);

    StoreState(StoreFacts facts) {
        this.facts = facts;
    }

    Monitored type() {
        return new Historical(this, FIGURES, name -> history);
    }

    void sample(long nowNs, long nowMs) {
        StoreMonitor monitor = facts.monitor();
        if (monitor != null) {
            history.sample(nowNs, nowMs, values(monitor.figures()));
        }
    }

    @Override
    public String name() {
        return "Store";
    }

    @Override
    public String summary() {
        return "What the store holds and does, and the disk that it is on";
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public List<Column<StoreFigures>> columns() {
        return List.of();
    }

    @Override
    public Report ask(Question question) throws MonitorException {
        question.requireOnly(name(), options());
        StoreMonitor monitor = facts.monitor();
        StoreFigures figures = monitor == null ? null : monitor.figures();
        return json -> {
            json.writeObjectFieldStart(name());
            if (figures == null) {
                StoreJson.write(StoreHealth.ofMemory(facts.mode()), json);
            } else {
                write(figures, json);
            }
            json.writeEndObject();
        };
    }

    private void write(StoreFigures figures, JsonGenerator json) throws IOException {
        long[] values = values(figures);
        for (int i = 0; i < values.length; i++) {
            json.writeNumberField(FIGURES.get(i), values[i]);
        }
        StoreJson.write(StoreHealth.of(facts.mode(), figures), json);
        StoreJson.write(figures, json);
    }

    private long[] values(StoreFigures figures) {
        long usedBytes = figures.contents().memoryBytes();
        try {
            FileStore disk = Files.getFileStore(facts.directory());
            long freeBytes = disk.getUsableSpace();
            long totalBytes = Math.max(1, disk.getTotalSpace());
            return new long[] {
                100 * (totalBytes - freeBytes) / totalBytes,
                freeBytes,
                100 * usedBytes / Math.max(1, facts.memoryBytes()),
                usedBytes,
                figures.contents().diskBytes(),
                figures.contents().liveBytes(),
                figures.contents().liveReferences()
            };
        } catch (IOException e) {
            throw new UncheckedIOException("the disk of the store does not tell how full it is", e);
        }
    }
}
