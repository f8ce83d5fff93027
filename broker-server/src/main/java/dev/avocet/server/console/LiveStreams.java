package dev.avocet.server.console;

import dev.avocet.core.time.Clock;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of events that open dashboards get: one event a second, made once for all of them by the thread
 * {@code console}, and none while no dashboard is open. Thread-safe.
 */
public final class LiveStreams {
    static final int MOST = 32;

    private static final Logger LOG = LoggerFactory.getLogger(LiveStreams.class);
    private static final long INTERVAL_MS = 1_000;
    /** Then the page asks for another, and is asked again who it is. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Supplier<byte[]> source;
    private final Clock clock;
    private final EventThread thread = new EventThread(task -> new Thread(task, "console"), this::send, INTERVAL_MS);
    private final List<LiveStream> open = new ArrayList<>();

    /** @param source makes an event; asked by one thread */
    public LiveStreams(Supplier<byte[]> source, Clock clock) {
        this.source = source;
        this.clock = clock;
    }

    /**
     * Answers a request with a stream, where there is room for one more.
     *
     * @param allowed whether its user is still logged in; asked before each event
     */
    public synchronized boolean begin(Context context, BooleanSupplier allowed) {
        if (open.size() >= MOST) {
            return false;
        }
        LiveStream stream = new LiveStream(LiveStream.answer(context), allowed, clock.nanoTime() + LONGEST.toNanos());
        open.add(stream);
        thread.answer(context, stream);
        return true;
    }

    private void send() {
        try {
            List<LiveStream> now = present();
            if (!now.isEmpty()) {
                byte[] event = source.get();
                now.forEach(stream -> stream.send(event));
            }
        } catch (RuntimeException e) {
            LOG.warn("An event for the console was left out", e);
        }
    }

    private synchronized List<LiveStream> present() {
        open.removeIf(stream -> !stream.goesOn(clock.nanoTime()));
        if (open.isEmpty()) {
            thread.end();
        }
        return List.copyOf(open);
    }
}
