package dev.avocet.server.console;

import dev.avocet.core.time.Clock;
import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
    private final ScheduledExecutorService thread = thread();
    private final List<LiveStream> open = new ArrayList<>();
    private @Nullable Future<?> schedule;

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
        LiveStream stream = new LiveStream(answer(context), allowed, clock.nanoTime() + LONGEST.toNanos());
        open.add(stream);
        context.future(() -> begun(stream, answer(context)));
        return true;
    }

    private CompletableFuture<Void> begun(LiveStream stream, ServletOutputStream out) {
        out.setWriteListener(stream);
        begin();
        return stream.ended();
    }

    private synchronized void begin() {
        Future<?> before = schedule;
        if (before != null) {
            before.cancel(false);
        }
        schedule = thread.scheduleAtFixedRate(this::send, 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
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
        Future<?> running = schedule;
        if (open.isEmpty() && running != null) {
            running.cancel(false);
            schedule = null;
        }
        return List.copyOf(open);
    }

    /** One, which ends when it has nothing to do. */
    private static ScheduledExecutorService thread() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "console");
            daemon.setDaemon(true);
            return daemon;
        });
        executor.setKeepAliveTime(INTERVAL_MS, TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }

    /** What a stream of events is written to. */
    static ServletOutputStream answer(Context context) {
        context.contentType("text/event-stream").header("X-Accel-Buffering", "no");
        try {
            return context.res().getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException("the answer cannot be written", e);
        }
    }
}
