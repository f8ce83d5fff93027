package dev.avocet.server.console;

import io.javalin.http.Context;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread that makes the events of one kind of streams, at an interval while there are streams. It ends when it has
 * nothing to do. Thread-safe.
 */
final class EventThread {
    private static final long IDLE_MS = 1_000;

    private final ScheduledThreadPoolExecutor executor;
    private final Runnable sending;
    private final long intervalMs;
    private @Nullable Future<?> schedule;

    /** @param sending sends an event to each stream that there is */
    EventThread(ThreadFactory thread, Runnable sending, long intervalMs) {
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = thread.newThread(task);
            daemon.setDaemon(true);
            return daemon;
        });
        executor.setKeepAliveTime(IDLE_MS, TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        this.sending = sending;
        this.intervalMs = intervalMs;
    }

    /** Has a request answered with a stream, which gets its first event at once. */
    void answer(Context context, LiveStream stream) {
        context.future(() -> {
            LiveStream.answer(context).setWriteListener(stream);
            begin();
            return stream.ended();
        });
    }

    private synchronized void begin() {
        end();
        schedule = executor.scheduleAtFixedRate(sending, 0, intervalMs, TimeUnit.MILLISECONDS);
    }

    /** There are no streams. */
    synchronized void end() {
        Future<?> running = schedule;
        if (running != null) {
            running.cancel(false);
            schedule = null;
        }
    }
}
