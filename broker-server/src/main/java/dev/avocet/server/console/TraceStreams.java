package dev.avocet.server.console;

import dev.avocet.core.time.Clock;
import dev.avocet.core.trace.TraceSink;
import dev.avocet.server.objects.JsonText;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of events by which administrators watch the trace of a client: what has come, some times a second, sent
 * by the thread {@code console-trace}, and nothing while no administrator watches. Thread-safe.
 */
public final class TraceStreams {
    static final int MOST = 8;

    private static final Logger LOG = LoggerFactory.getLogger(TraceStreams.class);
    private static final long INTERVAL_MS = 250;

    private final Clock clock;
    private final EventThread thread =
            new EventThread(task -> new Thread(task, "console-trace"), this::send, INTERVAL_MS);
    private final List<Watch> open = new ArrayList<>();

    public TraceStreams(Clock clock) {
        this.clock = clock;
    }

    /**
     * What a stream is about.
     *
     * @param allowed whether its user is still logged in; asked before each event
     * @param longest when it ends at the latest
     * @param lines after which it ends
     * @param begin begins to trace into a sink, and returns what ends that
     */
    public record Wanted(BooleanSupplier allowed, Duration longest, int lines, Function<TraceSink, Runnable> begin) {}

    private record Watch(LiveStream stream, TracedLines lines, Runnable end, long endNs) {}

    /** Answers a request with a stream, where there is room for one more. */
    public synchronized boolean begin(Context context, Wanted wanted) {
        if (open.size() >= MOST) {
            return false;
        }
        TracedLines lines = new TracedLines(wanted.lines(), clock);
        long endNs = clock.nanoTime() + wanted.longest().toNanos();
        LiveStream stream =
                new LiveStream(LiveStream.answer(context), wanted.allowed(), endNs + TimeUnit.SECONDS.toNanos(1));
        Watch watch = new Watch(stream, lines, wanted.begin().apply(lines), endNs);
        open.add(watch);
        thread.answer(context, stream);
        return true;
    }

    private void send() {
        for (Watch each : present()) {
            try {
                send(each);
            } catch (RuntimeException e) {
                each.stream().end();
                LOG.warn("A trace that an administrator watches has ended", e);
            }
        }
    }

    private void send(Watch watch) {
        if (!watch.stream().isReady()) {
            return; // its lines wait, as far as there is room
        }
        TracedLines.Part part = watch.lines().take();
        boolean isOver = clock.nanoTime() - watch.endNs() >= 0;
        Map<String, Object> event = new LinkedHashMap<>();
        event.put(
                "Lines",
                part.lines().stream()
                        .map(line -> Map.of("Time", line.wallMs(), "Text", line.text()))
                        .toList());
        event.put("LeftOut", part.leftOut());
        event.put("Ended", part.isLast() ? "Lines" : isOver ? "Time" : "");
        watch.stream()
                .send(("data: " + JsonText.of(event).replace('\n', ' ') + "\n\n").getBytes(StandardCharsets.UTF_8));
        if (part.isLast() || isOver) {
            watch.stream().end();
        }
    }

    /** Those that go on; the others are traced no longer. */
    private synchronized List<Watch> present() {
        List<Watch> gone = new ArrayList<>();
        for (Watch each : open) {
            if (!each.stream().goesOn(clock.nanoTime())) {
                gone.add(each);
            }
        }
        open.removeAll(gone);
        gone.forEach(each -> each.end().run());
        if (open.isEmpty()) {
            thread.end();
        }
        return List.copyOf(open);
    }
}
