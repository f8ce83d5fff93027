package dev.avocet.server.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.time.Clock;
import dev.avocet.server.admin.HealthJson;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.monitor.Monitor;
import dev.avocet.server.monitor.table.MonitorException;
import dev.avocet.server.monitor.table.Report;
import dev.avocet.server.store.StoreMonitor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the dashboard shows, as an event of a stream. Takes a few milliseconds, most of them for the disk. One thread at
 * a time.
 */
public final class LiveFigures implements Supplier<byte[]> {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final List<String> REPORTS = List.of("Server", "Memory", "Store");

    private final ProcessFacts process;
    private final Supplier<@Nullable RunningBroker> broker;
    private final Clock clock;
    private final RecentCommits commits;

    /** @param broker null while none serves clients */
    public LiveFigures(ProcessFacts process, Supplier<@Nullable RunningBroker> broker, Clock clock) {
        this.process = process;
        this.broker = broker;
        this.clock = clock;
        this.commits = new RecentCommits(clock);
    }

    @Override
    public byte[] get() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("data: ".getBytes(UTF_8));
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        bytes.writeBytes("\n\n".getBytes(UTF_8));
        return bytes.toByteArray();
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeNumberField("Time", clock.wallTimeMs());
        json.writeObjectFieldStart("Health");
        HealthJson.write(process.health(), json);
        json.writeEndObject();
        json.writeArrayFieldStart("Problems");
        for (String problem : process.problems()) {
            json.writeString(problem);
        }
        json.writeEndArray();
        RunningBroker running = broker.get();
        Monitor monitor = running == null ? null : running.monitor();
        if (running == null || monitor == null) {
            return;
        }
        json.writeStringField("Name", running.serverName());
        for (String type : REPORTS) {
            write(monitor, type, json);
        }
        StoreMonitor store = running.store();
        if (store != null) {
            commits.write(store.figures().commits().latencyNs(), json);
        }
        monitor.writeCounters(List.of(Counter.values()), json);
    }

    private static void write(Monitor monitor, String type, JsonGenerator json) throws IOException {
        try (Report report = monitor.ask(type, Map.of())) {
            report.writeTo(json);
        } catch (MonitorException e) {
            throw new IllegalStateException("the monitor does not tell of " + type, e);
        }
    }
}
