package dev.avocet.jms.client.wire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The threads that call the application's listeners, for all sessions of one factory: a few while listeners return
 * soon, however many sessions there are, and more for as long as listeners wait, since one may wait for another. They
 * are daemons, made when they are needed, and end after a while without work.
 *
 * <p>Thread-safe.
 */
public final class CallbackThreads implements Executor {
    private static final int LEAST = 16;
    private static final long IDLE_S = 30;
    /** When no task has ended for so long, and tasks wait, there are too few threads. */
    private static final long PATIENCE_MS = 20;

    private final int few;
    private final ThreadPoolExecutor pool;
    private final Executor later;
    private final AtomicBoolean watching = new AtomicBoolean();

    CallbackThreads() {
        this(
                Math.max(LEAST, 2 * Runtime.getRuntime().availableProcessors()),
                CompletableFuture.delayedExecutor(PATIENCE_MS, TimeUnit.MILLISECONDS, Runnable::run));
    }

    /** @param later runs a task a while later */
    CallbackThreads(final int few, final Executor later) {
        this.few = few;
        this.later = later;
        this.pool = new ThreadPoolExecutor(
                few, Integer.MAX_VALUE, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    final Thread made = new Thread(task, "avocet-jms-callbacks");
                    made.setDaemon(true);
                    return made;
                });
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(final Runnable task) {
        pool.execute(task);
        if (!pool.getQueue().isEmpty()) {
            watch();
        }
    }

    private void watch() {
        if (watching.compareAndSet(false, true)) {
            final long ended = pool.getCompletedTaskCount();
            later.execute(() -> look(ended));
        }
    }

    private void look(final long endedBefore) {
        watching.set(false);
        final int threads = pool.getCorePoolSize();
        if (!pool.getQueue().isEmpty()) {
            if (pool.getCompletedTaskCount() == endedBefore) {
                pool.setCorePoolSize(threads + Math.max(1, threads / 2));
            }
            watch();
        } else if (threads > few) {
            pool.setCorePoolSize(few); // those beyond end when they have had no work for a while
        }
    }
}
